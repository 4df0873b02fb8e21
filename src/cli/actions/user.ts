import { hashPassword } from '../../service/access/password-hash.js';
import { withStoreAccess } from '../connection/store-file.js';
import { type CommandContext, writeLine } from '../terminal/io.js';
import { readNewPassword } from '../terminal/password.js';

export async function addUser(context: CommandContext, email: string, file: string): Promise<void> {
  const known = await withStoreAccess(file, async (access) => {
    const before = await access.user(email);
    const password = await readNewPassword(context);
    await access.putUser({ email, passwordHash: await hashPassword(password) });
    return before;
  });
  await writeLine(context.stdout, known === null ? `added ${email}` : `changed the password of ${email}`);
}
