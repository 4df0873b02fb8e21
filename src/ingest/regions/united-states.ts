import { usStateRegionId } from './ids.js';

const STATES = `
  AL 1, AK 2, AZ 4, AR 5, CA 6, CO 8, CT 9, DE 10, DC 11, FL 12, GA 13, HI 15, ID 16, IL 17,
  IN 18, IA 19, KS 20, KY 21, LA 22, ME 23, MD 24, MA 25, MI 26, MN 27, MS 28, MO 29, MT 30, NE 31,
  NV 32, NH 33, NJ 34, NM 35, NY 36, NC 37, ND 38, OH 39, OK 40, OR 41, PA 42, RI 44, SC 45, SD 46,
  TN 47, TX 48, UT 49, VT 50, VA 51, WA 53, WV 54, WI 55, WY 56, AS 60, GU 66, MP 69, PR 72, VI 78
`;

/** Postal abbreviations of the states, the District of Columbia and the territories by FIPS code (FIPS 5-2). */
export const STATE_ABBREVIATIONS: Readonly<Record<number, string>> = Object.fromEntries(
  STATES.split(',').map((state) => state.trim().split(' ').reverse()),
);

/** The regions of the states and territories by their postal abbreviations. */
export const STATE_IDS_BY_ABBREVIATION: ReadonlyMap<string, number> = new Map(
  Object.entries(STATE_ABBREVIATIONS).map(([fips, abbreviation]) => [abbreviation, usStateRegionId(fips)]),
);
