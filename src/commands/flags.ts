import { z } from 'zod';

/** Types of command flags. Texts have 1 to `most` characters, numbers are from `least` to `most`. */
export const booleanFlag = z.boolean().default(false);
export const wordFlag = z.string().min(1).optional();
export const textFlag = (most: number) => z.string().min(1).max(most).optional();
export const numberFlag = (least: number, most: number) => z.number().min(least).max(most).optional();
export const integerFlag = (least: number, most: number) => z.int().min(least).max(most).optional();
export const choiceFlag = <const Names extends readonly string[]>(names: Names) => z.enum(names).optional();
