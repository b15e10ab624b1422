import { attempt } from '../../lib/attempt.ts';
import { type RunSchedule, roundInterval, USUAL_TIME } from '../plans/schedule.ts';
import numbers from './schedule-numbers.json' with { type: 'json' };
import { findExclusionBefore, hasAny, isExclusionBehind, type TaskPhrase } from './task-phrases.ts';
import { findTimeZone, isZoneAbbreviation } from './zone-names.ts';

export interface ScheduleReading {
  readonly runs?: RunSchedule;
  readonly notes: readonly string[];
}

const UNIT_WEEK = 10_080;
const UNIT_MINUTES: Readonly<Record<string, number>> = { sec: 1 / 60, ...numbers.unitMinutes };
const PARTS_OF_DAY: Readonly<Record<string, number>> = numbers.partsOfDay;
/** Minutes that a phrase adds to the hour after it. German `halb neun` means 8:30, so `halb` adds -30. */
const BEFORE_HOUR: Readonly<Record<string, number>> = numbers.beforeHour;
const PAST_HOUR: Readonly<Record<string, number>> = { andHalf: 30, andQuarter: 15, lessQuarter: -15 };
const OFTEN: Readonly<Record<string, number>> = { once: 1, twice: 2, thrice: 3 };
const USUAL_EVERY = 15;
const HALF_DAY = 720;
const DAY = 1440;
const WORKDAYS = [1, 2, 3, 4, 5];
const WEEKEND = [6, 7];
/** Portuguese words that may mean an ordinal number or a weekday. */
const ORDINALS = new Set(['segunda', 'terça', 'quarta', 'quinta', 'sexta', 'terca']);
const ENDS = ['if', 'unless'];

export function readSchedule(nodes: readonly TaskPhrase[]): ScheduleReading {
  const reader = new ScheduleReader(nodes);
  return reader.read();
}

class ScheduleReader {
  readonly #nodes: readonly TaskPhrase[];
  #every: number | undefined;
  #daily = false;
  #at = new Set<number>();
  #days = new Set<number>();
  readonly #without = new Set<number>();
  #date: number | undefined;
  #hours: { readonly from: number; readonly to: number } | undefined;
  #zone: string | undefined;
  readonly #notes: string[] = [];

  constructor(nodes: readonly TaskPhrase[]) {
    this.#nodes = nodes;
  }

  read(): ScheduleReading {
    this.#nodes.forEach((_, at) => {
      this.#leaveOut(at);
    });
    this.#nodes.forEach((node, at) => {
      if (node.taken || this.#excluded(at)) return;
      this.#frequency(at);
    });
    this.#nodes.forEach((node, at) => {
      if (node.taken || this.#excluded(at)) return;
      if (this.#interval(at) || this.#rhythm(at)) return;
      this.#day(at);
    });
    // Times are read last, because `at 9` is a time of day only if the task also has an interval or a day.
    this.#window();
    this.#nodes.forEach((node, at) => {
      if (!node.taken && !this.#excluded(at)) this.#time(at);
    });
    this.#readZone();
    this.#readDate();
    return this.#result();
  }

  #leaveOut(at: number): void {
    const node = this.#nodes[at] as TaskPhrase;
    const day = weekday(node);
    const named = node.tags.has('weekend') ? WEEKEND : node.tags.has('workdays') ? WORKDAYS : [];
    const behind = [at + 1, at + 2].find((place) => isExclusionBehind(this.#nodes[place]));
    const by =
      day === undefined && named.length === 0
        ? undefined
        : (findExclusionBefore(this.#nodes, at, 4) ?? behind);
    if (by === undefined) return;
    for (const one of day === undefined ? named : [day]) this.#without.add(one);
    const every = this.#nodes[at - 1]?.tags.has('every') ? [at - 1] : [];
    this.#take(at, by, ...every, ...(this.#nodes[by - 1]?.tags.has('but') ? [by - 1] : []));
  }

  #allDays(): number[] {
    const days = this.#days.size > 0 || this.#without.size === 0 ? [...this.#days] : [1, 2, 3, 4, 5, 6, 7];
    return days.filter((day) => !this.#without.has(day)).sort();
  }

  #result(): ScheduleReading {
    const days = this.#allDays();
    const at = [...this.#at].sort((a, b) => a - b);
    const shared = {
      ...(days.length > 0 && days.length < 7 && { days }),
      ...(this.#date !== undefined && { date: this.#date }),
      ...(this.#zone !== undefined && { zone: this.#zone }),
    };
    // In `twice a week on Tuesday and Friday`, the days already state the interval, so the interval is dropped.
    const named = days.length > 0 && this.#every === UNIT_WEEK / days.length;
    if (at.length > 0) {
      const lost = this.#every !== undefined && !named && this.#every * at.length !== DAY;
      if (lost)
        this.#notes.push(
          'an interval beside a time is not available: it runs at that time, each day that is named',
        );
      return { runs: { at, ...shared }, notes: this.#notes };
    }
    if (this.#every !== undefined && !named) {
      const every = this.#even(this.#every);
      return { runs: { every, ...this.#hours, ...shared }, notes: this.#notes };
    }
    if (this.#hours) return { runs: { every: USUAL_EVERY, ...this.#hours, ...shared }, notes: this.#notes };
    if (this.#daily || this.#days.size > 0 || this.#date !== undefined) {
      return { runs: { at: [USUAL_TIME], ...shared }, notes: this.#notes };
    }
    return { ...(days.length > 0 && { runs: { every: USUAL_EVERY, ...shared } }), notes: this.#notes };
  }

  #even(minutes: number): number {
    const even = roundInterval(minutes);
    if (even !== minutes) {
      const said = minutes < 1 ? `${Math.round(minutes * 60)} seconds` : `${minutes} minutes`;
      this.#notes.push(
        `"${said}" is not available: it runs every ${even === 1 ? 'minute' : `${even} minutes`}`,
      );
    }
    return even;
  }

  #excluded(at: number): boolean {
    for (let back = at; back >= Math.max(0, at - 6); back--) {
      const node = this.#nodes[back];
      if (!node || (node.kind === 'mark' && back < at) || node.kind === 'page') return false;
      if (hasAny(node, ...ENDS)) return false;
      if (node.tags.has('until') && at - back <= 2) return true;
      if (node.tags.has('neg')) return true;
    }
    return false;
  }

  #take(...places: readonly number[]): void {
    for (const place of places) {
      const node = this.#nodes[place];
      if (node) node.taken = true;
    }
  }

  #next(from: number, within: number): number {
    let left = within;
    for (let at = from; at < this.#nodes.length && left > 0; at++, left--) {
      const node = this.#nodes[at];
      if (!node || node.kind === 'mark' || node.kind === 'page') return -1;
      if (!isLink(node)) return at;
    }
    return -1;
  }

  #count(at: number): number | undefined {
    const node = this.#nodes[at];
    if (!node || node.taken) return undefined;
    if (node.kind === 'number') return node.value;
    return numberWord(node);
  }

  #unit(at: number): number | undefined {
    const node = this.#nodes[at];
    if (!node || node.taken) return undefined;
    const tag = Object.keys(UNIT_MINUTES).find((one) => node.tags.has(one));
    return tag === undefined ? undefined : UNIT_MINUTES[tag];
  }

  #frequency(at: number): void {
    const node = this.#nodes[at];
    const named = Object.entries(OFTEN).find(([tag]) => node?.tags.has(tag))?.[1];
    const counted = this.#nodes[at + 1]?.tags.has('times') ? this.#count(at) : undefined;
    const count = counted ?? named;
    if (count === undefined || count < 1 || count > 96) return;
    const end = counted === undefined ? at : at + 1;
    for (const place of [this.#next(end + 1, 3), at - 1, at - 2]) {
      const daily = this.#nodes[place]?.tags.has('daily') && !this.#nodes[place]?.taken;
      const unit = daily ? DAY : this.#unit(place);
      if (unit === undefined || unit < 60) continue;
      // `每两小时检查一次` means `check once every two hours`, so a number may precede the unit.
      const units = place < at ? this.#count(place - 1) : undefined;
      this.#take(at, end, place, ...(units === undefined ? [] : [place - 1]));
      const minutes = (unit * (units ?? 1)) / count;
      if (minutes === DAY) this.#daily = true;
      else this.#every = minutes;
      return;
    }
  }

  #interval(at: number): boolean {
    const node = this.#nodes[at];
    if (!node) return false;
    if (node.tags.has('every')) {
      const next = this.#next(at + 1, 3);
      const count = this.#count(next);
      const place = count === undefined ? next : this.#next(next + 1, 2);
      if (this.#isSecond(at, next)) return true;
      // In `las 18 cada hora`, 18 is a time and not a number of hours, because it comes before `cada`.
      const isOther = this.#nodes.slice(next + 1, place).some(({ tags }) => tags.has('every'));
      const unit = count !== undefined && isOther ? undefined : this.#unit(place);
      if (unit === undefined) return count !== undefined && this.#isPart(next, at);
      this.#set(unit, count ?? 1);
      this.#take(at, next, place);
      return true;
    }
    const count = this.#count(at);
    const unit = count === undefined ? undefined : this.#unit(at + 1);
    if (unit === undefined || !this.#nodes[at + 2]?.tags.has('every')) return false;
    this.#set(unit, count ?? 1);
    this.#take(at, at + 1, at + 2);
    return true;
  }

  #isSecond(every: number, place: number): boolean {
    const node = this.#nodes[place];
    if (node?.text.toLowerCase() !== 'second') return false;
    const behind = this.#next(place + 1, 2);
    const unit = this.#unit(behind);
    if (weekday(this.#nodes[behind]) === undefined && unit === undefined) return false;
    if (unit !== undefined) this.#set(unit, 2);
    this.#take(every, ...(unit === undefined ? [] : [place, behind]));
    return true;
  }

  #isPart(place: number, every: number): boolean {
    const node = this.#nodes[place];
    if (!node || !/hour|stunde|heure|hora|ora|uur|godzin|час|小时/.test(node.text)) return false;
    this.#every = this.#count(place);
    this.#take(every, place);
    return true;
  }

  #set(unit: number, count: number): void {
    if (unit === DAY && count === 1) this.#daily = true;
    else if (unit === UNIT_MINUTES.week && count === 1) this.#days.add(1);
    else if (unit === UNIT_MINUTES.month && count === 1) this.#date = 1;
    else this.#every = Math.min(unit * count, 30 * DAY);
  }

  #rhythm(at: number): boolean {
    const { tags } = this.#nodes[at] as TaskPhrase;
    if (tags.has('hourly')) this.#every = 60;
    else if (tags.has('daily')) this.#daily = true;
    else if (tags.has('weekly')) this.#days.add(1);
    else if (tags.has('monthly')) this.#date = 1;
    else return false;
    this.#take(at);
    return true;
  }

  #day(at: number): void {
    const node = this.#nodes[at] as TaskPhrase;
    const day = weekday(node);
    if (node.tags.has('workdays')) for (const one of WORKDAYS) this.#days.add(one);
    else if (node.tags.has('weekend')) for (const one of WEEKEND) this.#days.add(one);
    else if (day !== undefined && (!ORDINALS.has(node.text.toLowerCase()) || this.#every1(at)))
      this.#range(at, day);
    else return;
    if (this.#days.has(1) && this.#days.size > 1 && day === undefined) this.#take(at);
    this.#take(at);
    if (this.#nodes[at - 1]?.tags.has('every')) this.#take(at - 1);
    this.#joint(at);
  }

  #every1(at: number): boolean {
    const beside = [at - 2, at + 2].some((place) => weekday(this.#nodes[place]) !== undefined);
    return this.#nodes[at - 1]?.tags.has('every') === true || beside;
  }

  #range(at: number, day: number): void {
    const middle = this.#nodes[at + 1];
    const last = weekday(this.#nodes[at + 2]);
    const isRange =
      middle !== undefined &&
      last !== undefined &&
      !middle.tags.has('and') &&
      !middle.tags.has('or') &&
      !/^[,，、と]$/u.test(middle.text);
    const dashed = weekday(this.#nodes[at + 1]);
    if (
      isRange ||
      (dashed !== undefined && (this.#nodes[at + 1]?.start ?? 0) - (this.#nodes[at]?.end ?? 0) === 1)
    ) {
      const end = isRange ? last : (dashed as number);
      for (let one = day; one !== end; one = (one % 7) + 1) this.#days.add(one);
      this.#days.add(end);
      this.#take(at + 1, isRange ? at + 2 : at + 1);
      return;
    }
    this.#days.add(day);
  }

  #joint(at: number): void {
    const before = this.#nodes[at - 1];
    if (
      before &&
      (before.tags.has('and') || before.tags.has('or')) &&
      weekday(this.#nodes[at - 2]) !== undefined
    ) {
      this.#take(at - 1);
    }
  }

  get #hasRhythm(): boolean {
    return this.#every !== undefined || this.#daily || this.#days.size > 0 || this.#date !== undefined;
  }

  /** Reads the hours of an interval: `between 9 and 18`, `von 9 bis 17 Uhr`, `с 9 до 18`. */
  #window(): void {
    for (let at = 0; at < this.#nodes.length; at++) {
      const from = this.#hour(at);
      if (from === undefined || this.#excluded(at)) continue;
      let next = at + 1;
      const links: number[] = [];
      while (next < at + 5 && this.#nodes[next] && isBetween(this.#nodes[next] as TaskPhrase))
        links.push(next++);
      const to = this.#endHour(at, from, next);
      if (to === undefined || to <= from) continue;
      if (!this.#mayBeWindow(at)) continue;
      this.#hours = { from, to };
      this.#take(at, next, ...links);
      this.#takeAround(at, next);
      return;
    }
  }

  /** Returns the last hour: 17 in `between 9 and 5`, unless the task says am, pm or o'clock. */
  #endHour(at: number, from: number, next: number): number | undefined {
    const to = this.#hour(next);
    const isPlain = this.#nodes[at - 1]?.tags.has('between') && this.#nodes[next]?.kind === 'number';
    const said = [at + 1, next + 1].some((place) => hasAny(this.#nodes[place], 'am', 'pm', 'oclock'));
    return to !== undefined && isPlain && !said && to < from && to <= 7 && from <= 12 ? to + 12 : to;
  }

  #takeAround(from: number, to: number): void {
    for (const place of [from - 1, to + 1]) {
      if (this.#nodes[place]?.tags.has('between')) this.#take(place);
    }
    for (const place of [from + 1, to + 1, to + 2]) {
      if (hasAny(this.#nodes[place], 'oclock', 'am', 'pm')) this.#take(place);
    }
  }

  /** True if the hours limit an interval or follow days, as in `on weekdays between 9 and 17`. */
  #mayBeWindow(at: number): boolean {
    if (this.#every !== undefined) return true;
    return this.#nodes[at - 1]?.tags.has('between') === true && this.#isDay(at - 2);
  }

  #isDay(at: number): boolean {
    const node = this.#nodes[at];
    if (!node) return false;
    return weekday(node) !== undefined || node.tags.has('workdays') || node.tags.has('weekend');
  }

  #hour(at: number): number | undefined {
    const node = this.#nodes[at];
    if (!node || node.taken) return undefined;
    const next = this.#nodes[at + 1];
    if (node.kind === 'time' && node.value % 60 === 0) {
      const half = next?.tags.has('pm') && node.value < HALF_DAY ? 12 : 0;
      return node.value / 60 + half;
    }
    const isHour =
      node.kind === 'number' && Number.isInteger(node.value) && node.value >= 0 && node.value <= 24;
    if (!isHour || (next && [...next.tags].some((tag) => tag === 'pct' || /^[A-Z$]/.test(tag))))
      return undefined;
    return node.value + (next?.tags.has('pm') && node.value < 12 ? 12 : 0);
  }

  /** Reads a time: `8:30`, `7 pm`, `9 Uhr`, `at 9`, `8時30分`, `noon`. */
  #time(at: number): void {
    const node = this.#nodes[at] as TaskPhrase;
    const part = Object.keys(PARTS_OF_DAY).find((tag) => node.tags.has(tag));
    if (part !== undefined) this.#partOfDay(at, PARTS_OF_DAY[part] ?? 0);
    else if (this.#isHour(at)) this.#clockTime(at, node);
  }

  #isHour(at: number): boolean {
    const node = this.#nodes[at];
    if (!node) return false;
    if (node.kind === 'time' || isHourNumber(node)) return true;
    const isNamed =
      partIn(BEFORE_HOUR, this.#nodes[at - 1]) !== undefined ||
      partIn(PAST_HOUR, this.#nodes[at + 1]) !== undefined ||
      this.#nodes[at + 1]?.tags.has('oclock');
    return isNamed === true && (numberWord(node) ?? DAY) <= 24;
  }

  #clockTime(at: number, node: TaskPhrase): void {
    const past = this.#pastHour(at + 1);
    const next = at + 1 + past.places.length;
    const half = this.#halfOfDay(at, next);
    // A phrase before the hour may change the time, as in German `halb neun` (8:30).
    const part = partIn(BEFORE_HOUR, this.#nodes[at - 1]);
    const before = this.#nodes[part === undefined ? at - 1 : at - 2];
    if (before?.tags.has('below') || before?.tags.has('above')) return;
    const also = (before?.tags.has('and') || before?.text === ',') && this.#at.size > 0;
    const formed = node.kind === 'time' || past.places.length > 0 || half !== undefined || part !== undefined;
    const asked = (before?.tags.has('at') || also) && this.#hasRhythm && !isAmount(this.#nodes[next]);
    if (!formed && !asked) return;
    const minutes = inHalf(minutesOf(node) + past.minutes + (part ?? 0), half?.late);
    this.#at.add((minutes + DAY) % DAY);
    this.#take(
      at,
      ...(part === undefined ? [] : [at - 1]),
      ...past.places,
      ...(half ? [half.place] : []),
      ...(also ? [at - 1] : []),
    );
  }

  #pastHour(at: number): { readonly places: readonly number[]; readonly minutes: number } {
    const node = this.#nodes[at];
    const bare = node?.taken ? undefined : partIn(PAST_HOUR, node);
    if (bare !== undefined) return { places: [at], minutes: bare };
    if (!node?.tags.has('oclock') || node.taken) return { places: [], minutes: 0 };
    const rest = this.#nodes[at + 1];
    const part = rest?.taken ? undefined : partIn(PAST_HOUR, rest);
    if (part !== undefined) return { places: [at, at + 1], minutes: part };
    if (rest?.tags.has('half')) return { places: [at, at + 1], minutes: 30 };
    const counted = rest?.kind === 'number' && rest.value < 60 && this.#nodes[at + 2]?.tags.has('minuteOf');
    return counted ? { places: [at, at + 1, at + 2], minutes: rest.value } : { places: [at], minutes: 0 };
  }

  #halfOfDay(at: number, next: number): { readonly place: number; readonly late: boolean } | undefined {
    const mark = this.#nodes[next];
    const around = [at - 1, mark?.kind === 'mark' && /^['’]$/.test(mark.text) ? next + 1 : next, at - 2];
    const pm = around.find((place) => isHalf(this.#nodes[place], 'pm', LATE));
    if (pm !== undefined) return { place: pm, late: true };
    const am = around.find((place) => isHalf(this.#nodes[place], 'am', ['morning']));
    return am === undefined ? undefined : { place: am, late: false };
  }

  #partOfDay(at: number, minutes: number): void {
    // In `8 in the morning`, 8 is the time. Without a number, `at night` itself stands for a time.
    const timed = [at - 1, at - 2, at + 1, at + 2, at + 3].some((place) => {
      const one = this.#nodes[place];
      return (
        one !== undefined &&
        !one.taken &&
        (((one.kind === 'time' || one.kind === 'number') && one.value <= DAY) || this.#isHour(place))
      );
    });
    if (this.#nodes[at - 1]?.tags.has('every')) this.#take(at - 1);
    this.#daily = true;
    if (!timed) this.#at.add(minutes);
    this.#take(at);
  }

  #readZone(): void {
    if (!this.#hasRhythm && this.#at.size === 0) return;
    for (let at = 0; at < this.#nodes.length && this.#zone === undefined; at++) {
      const named = this.#zoneAt(at);
      if (!named) continue;
      const { zone, width } = named;
      const around = [at - 2, at - 1, at, at + width].find((place) => this.#nodes[place]?.tags.has('zone'));
      if (around === undefined && width < 3 && !this.#isPlainZone(at)) continue;
      this.#zone = zone;
      this.#take(...Array.from({ length: width }, (_, index) => at + index));
      if (around !== undefined) this.#take(around);
    }
  }

  /** True if a zone abbreviation is in upper case or follows a time, because `est` is also a French word. */
  #isPlainZone(at: number): boolean {
    const [text, before] = [this.#nodes[at]?.text ?? '', this.#nodes[at - 1]];
    if (!isZoneAbbreviation(text)) return false;
    const isTime =
      before !== undefined &&
      (before.kind === 'time' || before.kind === 'number' || hasAny(before, 'am', 'pm', 'oclock'));
    return isTime || text === text.toUpperCase();
  }

  #zoneAt(at: number): { readonly zone: string; readonly width: number } | undefined {
    const node = this.#nodes[at] as TaskPhrase;
    if (node.kind !== 'word' || (node.taken && !node.tags.has('zone'))) return undefined;
    const whole = this.#tzName(at);
    if (whole !== undefined) return { zone: whole, width: 3 };
    const next = this.#nodes[at + 1];
    const pair = next && !next.taken ? findTimeZone(`${node.text} ${next.text}`) : undefined;
    if (pair !== undefined) return { zone: pair, width: 2 };
    const zone = findTimeZone(node.text.replace(/(?:時間で?|时间|時間)$/, ''));
    return zone === undefined ? undefined : { zone, width: 1 };
  }

  #readDate(): void {
    if (this.#date === undefined) return;
    this.#nodes.forEach((node, at) => {
      const isDay =
        node.kind === 'number' &&
        !node.taken &&
        Number.isInteger(node.value) &&
        node.value >= 1 &&
        node.value <= 31;
      const month = [at - 3, at - 2, at - 1, at + 1, at + 2, at + 3, at + 4, at + 5].some((place) => {
        const other = this.#nodes[place];
        return other?.taken === true && (other.tags.has('month') || other.tags.has('monthly'));
      });
      if (!isDay || !month || isAmount(this.#nodes[at + 1])) return;
      this.#date = node.value;
      this.#take(at);
      if (/^(?:st|nd|rd|th|er|º|ª|号|號|日)$/u.test(this.#nodes[at + 1]?.text ?? '')) this.#take(at + 1);
    });
  }

  /** Reads the name of a time zone such as `Europe/Berlin`, which has three tokens. */
  #tzName(at: number): string | undefined {
    const [area, mark, city] = this.#nodes.slice(at, at + 3);
    if (!area || mark?.text !== '/' || !city || !/^[A-Z]/.test(area.text)) return undefined;
    const name = `${area.text}/${city.text}`;
    return attempt(() => new Intl.DateTimeFormat('en', { timeZone: name })) && name;
  }
}

function minutesOf(node: TaskPhrase): number {
  if (node.kind === 'time') return node.value;
  return 60 * (node.kind === 'word' ? (numberWord(node) ?? 0) : node.value);
}

function inHalf(minutes: number, late: boolean | undefined): number {
  if (late === true && minutes < HALF_DAY) return minutes + HALF_DAY;
  return late === false && minutes >= HALF_DAY ? minutes - HALF_DAY : minutes;
}

const partIn = (parts: Readonly<Record<string, number>>, node: TaskPhrase | undefined): number | undefined =>
  node && Object.entries(parts).find(([tag]) => node.tags.has(tag))?.[1];

const isHourNumber = ({ kind, value }: TaskPhrase): boolean =>
  kind === 'number' && Number.isInteger(value) && value >= 0 && value <= 24;

function weekday(node: TaskPhrase | undefined): number | undefined {
  if (!node) return undefined;
  for (let day = 1; day <= 7; day++) if (node.tags.has(`wd${day}`)) return day;
  return undefined;
}

export function numberWord({ tags }: TaskPhrase): number | undefined {
  for (const tag of tags) if (/^n\d{1,2}$/.test(tag)) return Number(tag.slice(1));
  return undefined;
}

const LATE = ['evening', 'afternoon', 'night'];

const isHalf = (node: TaskPhrase | undefined, tag: 'am' | 'pm', parts: readonly string[]): boolean =>
  node !== undefined && [tag, ...parts].some((one) => node.tags.has(one));

const isAmount = (node: TaskPhrase | undefined): boolean =>
  node !== undefined &&
  [...node.tags].some((tag) => tag === 'pct' || tag === 'unit' || /^(?:[A-Z]{3}|\$|¥|kr)$/.test(tag));

const LINKS = ['f', 'per', 'by', 'at', 'any'];
const UNITS = ['sec', 'min', 'hour', 'day', 'week', 'month', 'daily'];

const isLink = (node: TaskPhrase): boolean =>
  hasAny(node, ...LINKS) && numberWord(node) === undefined && !hasAny(node, ...UNITS);

const isBetween = (node: TaskPhrase): boolean =>
  hasAny(node, 'f', 'and', 'until', 'oclock', 'at', 'am', 'pm', 'unit', 'between') ||
  node.text === '-' ||
  node.text === '–';
