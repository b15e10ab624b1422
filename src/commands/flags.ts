import { z } from 'zod';

/** Type of a flag without a value, such as `--remove`. The types below are for flags with a value. */
export const booleanFlag = z.boolean().default(false);
export const wordFlag = z.string().min(1).optional();
export const textFlag = (most: number) => z.string().min(1).max(most).optional();
export const numberFlag = (least: number, most: number) => z.number().min(least).max(most).optional();
export const integerFlag = (least: number, most: number) => z.int().min(least).max(most).optional();
export const choiceFlag = <const Names extends readonly string[]>(names: Names) => z.enum(names).optional();
