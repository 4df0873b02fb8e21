import { get, type IncomingMessage } from 'node:http';
import type { Judge } from './judge.js';

const PAUSE_MS = 100;
const PIECE_BYTES = 16 * 1024;

/** Reads large answers very slowly, one after another, as a bad line does; what arrives whole must be whole. */
export async function readSlowly(
  { url, token, isOver }: { url: string; token: string; isOver: () => boolean },
  judge: Judge,
): Promise<void> {
  while (!isOver()) {
    const outcome = await slowAnswer(`${url}/v2/regions`, token, isOver);
    judge.count(`slow readers: ${outcome}`);
    if (outcome === 'cut') await new Promise((resolve) => setTimeout(resolve, 200));
    if (outcome === 'incomplete')
      judge.condemn(new Error('a slow reader got an answer that is no JSON as if it were whole'));
  }
}

function slowAnswer(
  url: string,
  token: string,
  isOver: () => boolean,
): Promise<'whole' | 'cut' | 'incomplete'> {
  return new Promise((resolve) => {
    const asked = get(url, { headers: { authorization: `Bearer ${token}` }, agent: false }, (answer) => {
      void readPieces(answer, isOver).then(resolve);
    });
    asked.on('error', () => resolve('cut'));
  });
}

async function readPieces(
  answer: IncomingMessage,
  isOver: () => boolean,
): Promise<'whole' | 'cut' | 'incomplete'> {
  const pieces: Buffer[] = [];
  try {
    for await (const piece of answer as AsyncIterable<Buffer>) {
      pieces.push(piece);
      for (let at = 0; at < piece.length && !isOver(); at += PIECE_BYTES)
        await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
      if (isOver()) return 'cut';
    }
  } catch {
    return 'cut';
  }
  try {
    JSON.parse(Buffer.concat(pieces).toString());
    return 'whole';
  } catch {
    return 'incomplete';
  }
}
