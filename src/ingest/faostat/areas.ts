import { WORLD_REGION_ID } from '../../model/entity.js';
import type { NewEntity } from '../../store/store.js';
import type { BatchBuilder } from '../batch/batch-builder.js';
import { formerAreaRegionId, formerCountryRegionId, groupRegionId, regionIdKind } from '../regions/ids.js';
import { type CountryNames, foldName, otherRegion, resolveRegionName } from '../regions/names.js';
import type { RegionTree } from '../regions/tree.js';
import { readPairs } from '../vocabulary/text-table.js';
import groups from './groups.json' with { type: 'json' };

/** The continents by their folded names. */
const CONTINENTS = [
  ['africa', 2],
  ['asia', 142],
  ['europe', 150],
  ['oceania', 9],
  ['south america', 5],
] as const;

/** Groups of UN M49 by FAOSTAT's names, in those that contain them; numbers from 900 are FAO's own. */
const GROUP_REGIONS: ReadonlyMap<number, NewEntity<'regions'>> = new Map(
  groups.map(({ m49, name, containers, ...own }) => {
    const definition = own.definition ?? `Group of countries and territories in FAOSTAT; numbered ${m49}.`;
    const belongsTo = containers.length === 0 ? [WORLD_REGION_ID] : containers.map(groupRegionId);
    return [m49, { id: groupRegionId(m49), ...otherRegion({ name, definition, belongsTo }) }];
  }),
);

/** The world, the continents and former areas by M49. */
const FIXED: ReadonlyMap<number, number> = new Map([
  [1, WORLD_REGION_ID],
  ...CONTINENTS.map(([, m49]) => [m49, groupRegionId(m49)] as const),
  [810, formerCountryRegionId('SUHH')],
  [200, formerCountryRegionId('CSHH')],
  [891, formerCountryRegionId('CSXX')],
  [530, formerCountryRegionId('ANHH')],
  [582, formerCountryRegionId('PCHH')],
  [720, formerCountryRegionId('YDYE')],
  [278, formerCountryRegionId('DDDE')],
  ...[58, 230, 280, 736, 886, 890].map((m49) => [m49, formerAreaRegionId(m49)] as const),
]);

/** Group codes by folded name. "China" and "Micronesia" alone are groups, because FAOSTAT calls them so. */
const GROUP_NUMBERS: ReadonlyMap<string, number> = new Map([
  ['world', 1],
  ...CONTINENTS,
  ...groups.flatMap(({ m49, name, others }) => [name, ...others].map((one) => [foldName(one), m49] as const)),
]);

/**
 * UN M49 codes by FAO area code. FAO's codes never change, whereas the names do. Sources: FAOSTAT's definitions of
 * countries and groups (2022 and 2026); for territories and former areas, the table of country_converter.
 */
const M49_BY_FAO = readPairs(`
  1 = 51; 2 = 4; 3 = 8; 4 = 12; 5 = 16; 6 = 20; 7 = 24; 8 = 28; 9 = 32; 10 = 36; 11 = 40; 12 = 44; 13 = 48; 14 = 52;
  15 = 58; 16 = 50; 17 = 60; 18 = 64; 19 = 68; 20 = 72; 21 = 76; 22 = 533; 23 = 84; 24 = 86; 25 = 90; 26 = 96;
  27 = 100; 28 = 104; 29 = 108; 30 = 10; 31 = 74; 32 = 120; 33 = 124; 35 = 132; 36 = 136; 37 = 140; 38 = 144;
  39 = 148; 40 = 152; 41 = 156; 42 = 162; 43 = 166; 44 = 170; 45 = 174; 46 = 178; 47 = 184; 48 = 188; 49 = 192;
  50 = 196; 51 = 200; 52 = 31; 53 = 204; 54 = 208; 55 = 212; 56 = 214; 57 = 112; 58 = 218; 59 = 818; 60 = 222;
  61 = 226; 62 = 230; 63 = 233; 64 = 234; 65 = 238; 66 = 242; 67 = 246; 68 = 250; 69 = 254; 70 = 258; 71 = 260;
  72 = 262; 73 = 268; 74 = 266; 75 = 270; 79 = 276; 80 = 70; 81 = 288; 82 = 292; 83 = 296; 84 = 300; 85 = 304;
  86 = 308; 87 = 312; 88 = 316; 89 = 320; 90 = 324; 91 = 328; 92 = 334; 93 = 332; 94 = 336; 95 = 340; 96 = 344;
  97 = 348; 98 = 191; 99 = 352; 100 = 356; 101 = 360; 102 = 364; 103 = 368; 104 = 372; 105 = 376; 106 = 380;
  107 = 384; 108 = 398; 109 = 388; 110 = 392; 112 = 400; 113 = 417; 114 = 404; 115 = 116; 116 = 408; 117 = 410;
  118 = 414; 119 = 428; 120 = 418; 121 = 422; 122 = 426; 123 = 430; 124 = 434; 125 = 438; 126 = 440; 127 = 584;
  128 = 446; 129 = 450; 130 = 454; 131 = 458; 132 = 462; 133 = 466; 134 = 470; 135 = 474; 136 = 478; 137 = 480;
  138 = 484; 140 = 492; 141 = 496; 142 = 500; 143 = 504; 144 = 508; 145 = 583; 146 = 498; 147 = 516; 148 = 520;
  149 = 524; 150 = 528; 151 = 530; 153 = 540; 154 = 807; 155 = 548; 156 = 554; 157 = 558; 158 = 562; 159 = 566;
  160 = 570; 161 = 574; 162 = 578; 163 = 580; 164 = 582; 165 = 586; 166 = 591; 167 = 203; 168 = 598; 169 = 600;
  170 = 604; 171 = 608; 172 = 612; 173 = 616; 174 = 620; 175 = 624; 176 = 626; 177 = 630; 178 = 232; 179 = 634;
  180 = 585; 181 = 716; 182 = 638; 183 = 642; 184 = 646; 185 = 643; 186 = 891; 187 = 654; 188 = 659; 189 = 662;
  190 = 666; 191 = 670; 192 = 674; 193 = 678; 194 = 682; 195 = 686; 196 = 690; 197 = 694; 198 = 705; 199 = 703;
  200 = 702; 201 = 706; 202 = 710; 203 = 724; 205 = 732; 206 = 736; 207 = 740; 208 = 762; 209 = 748; 210 = 752;
  211 = 756; 212 = 760; 213 = 795; 214 = 158; 215 = 834; 216 = 764; 217 = 768; 218 = 772; 219 = 776; 220 = 780;
  221 = 512; 222 = 788; 223 = 792; 224 = 796; 225 = 784; 226 = 800; 227 = 798; 228 = 810; 229 = 826; 230 = 804;
  231 = 840; 232 = 581; 233 = 854; 234 = 858; 235 = 860; 236 = 862; 237 = 704; 238 = 231; 239 = 92; 240 = 850;
  243 = 876; 244 = 882; 246 = 886; 247 = 720; 248 = 890; 249 = 887; 250 = 180; 251 = 894; 255 = 56; 256 = 442;
  258 = 660; 260 = 744; 264 = 833; 270 = 175; 271 = 239; 272 = 688; 273 = 499; 274 = 831; 276 = 729; 277 = 728;
  278 = 535; 279 = 531; 280 = 534; 281 = 663; 282 = 652; 283 = 832; 284 = 248; 299 = 275; 351 = 159; 5000 = 1;
  5100 = 2; 5101 = 14; 5102 = 17; 5103 = 15; 5104 = 18; 5105 = 11; 5200 = 19; 5203 = 21; 5204 = 13; 5206 = 29;
  5207 = 5; 5300 = 142; 5301 = 143; 5302 = 30; 5303 = 34; 5304 = 35; 5305 = 145; 5400 = 150; 5401 = 151; 5402 = 154;
  5403 = 39; 5404 = 155; 5500 = 9; 5501 = 53; 5502 = 54; 5503 = 57; 5504 = 61; 5706 = 928; 5707 = 97; 5801 = 199;
  5802 = 432; 5803 = 722; 5815 = 901; 5817 = 902
`);
/** The present European Union. Some files give the same M49 code to FAO area 5706, the union of 28 members. */
const EU_27 = 97;
const EU_28 = 928;
/**
 * China with Hong Kong, Macao and Taiwan. It has the ISO code CHN or CN; the mainland then has F41, or the other of the
 * two.
 */
const CHINA = 159;

/** The fields of an area; newer files have M49 codes, older ones only FAO's codes, and exports the codes of choice. */
export interface FaoAreaText {
  readonly name: string;
  /** Empty in files without it. */
  readonly m49: string;
  /** Of FAO or ISO; empty in files without it. */
  readonly code: string;
}

/**
 * Resolves an area to a region by its codes. If the codes are ambiguous or missing, resolves it by name. A code whose
 * system is unknown counts as M49 if the name agrees. Adds groups, and areas that only FAOSTAT has.
 */
export function resolveFaoArea(
  { name, m49, code }: FaoAreaText,
  { countries, batch, tree }: { countries: CountryNames; batch: BatchBuilder; tree: RegionTree['byId'] },
): number {
  const regionOf = (number: number): number | undefined =>
    FIXED.get(number) ??
    GROUP_REGIONS.get(number)?.id ??
    (regionIdKind(number) === 'country' && tree.has(number) ? number : undefined);
  const plain = code.replace(/^['F0]+(?=\d)/, '');
  const numbers = [M49_BY_FAO.get(plain), m49.replace(/^'/, ''), plain].map((text) => Number(text || 'none'));
  const isEither = Number.isNaN(numbers[0]) && numbers.includes(EU_27);
  const coded = [...numbers, ...(isEither ? [EU_28] : [])].map(regionOf);
  if (code === 'CHN' || code === 'CN') coded.push(regionOf(CHINA));
  if (/^[A-Z]{2,3}$/.test(code)) coded.push(countries.find(code)?.id);
  const known = coded.filter((id) => id !== undefined);
  const named = regionOf(GROUP_NUMBERS.get(foldName(name)) ?? Number.NaN) ?? countries.find(name)?.id;
  const id = known.find((one) => one === named) ?? known[0] ?? named;
  if (id === undefined) return resolveRegionName(name, { countries, batch, dataset: 'faostat' });
  const group = GROUP_REGIONS.get(id - groupRegionId(0));
  if (group !== undefined) batch.addEntity('regions', group);
  return id;
}
