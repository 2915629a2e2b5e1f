import { countSymbols, price, type Rates } from '#contract/billing.ts'
import { MINUTES_PART, type MinutesKind, type MinutesOffer } from '#contract/minutes.ts'
import type { MeetingNotes, PartNotes } from '#server/db/schema.ts'
import { inputLimit } from '../answers/prompt.ts'
import type { ModelRow } from '../models/models.ts'
import { writeMinutes } from './documents.ts'
import { withNames } from './notes.ts'
import { hashOf, lastHashOf, namesOf, type Part, type Whole } from './parts.ts'

/** The most that a model may write in one step; reading stops there, so it limits the price too. */
const MAX_NOTES = { least: 1500, most: 8000 } as const
export const mostNotes = (input: number) => Math.min(MAX_NOTES.most, MAX_NOTES.least + Math.round(input / 2))
export const MAX_WRITTEN = { summary: 2500, letter: 6000 } as const
/** Usual lengths. Notes have one symbol for so many of the recording. */
const SYMBOLS_PER_NOTE = 8
const USUAL_NOTES = { least: 400, most: 3500 } as const
const USUAL_WRITTEN = { summary: 1000, letter: 2200 } as const
/** Symbols of a request that are not the recording. */
const REQUEST_SYMBOLS = 3000
const MIN_PART = 2000

/** Parts fit into the window together with our rules and the notes, and into what a model reads well at once. */
export const partSymbols = (model: Pick<ModelRow, 'contextSymbols' | 'maxOutputSymbols'>): number =>
  Math.max(MIN_PART, Math.min(MINUTES_PART, inputLimit(model) - REQUEST_SYMBOLS))

/** What the model writes after the notes; null when code alone joins them. */
export function lastStepOf(kind: MinutesKind, parts: number): 'summary' | 'letter' | null {
  if (kind === 'letter') return 'letter'
  return kind === 'minutes' && parts > 1 ? 'summary' : null
}

/** By their hash, with the names that the speakers of the parts have now. */
export function rememberedNotes(stored: readonly PartNotes[], parts: readonly Part[]): Map<string, MeetingNotes> {
  const names = namesOf(parts)
  return new Map(stored.map(({ hash, notes, names: before = {} }) => [hash, withNames(notes, before, names)]))
}

type OfferedModel = Rates & Pick<ModelRow, 'id' | 'contextSymbols' | 'maxOutputSymbols'>

/** The price of the steps that are left. */
export function offerOf(
  kind: MinutesKind,
  whole: Whole,
  known: ReadonlyMap<string, MeetingNotes>,
  model: OfferedModel,
): MinutesOffer {
  const { parts } = whole
  const longest = partSymbols(model)
  const rates = ratesOf(model)
  const steps: { input: number; usual: number; most: number }[] = []
  let [usualSize, mostSize] = [0, 0]
  for (const part of parts) {
    const input = countSymbols(part.text)
    const usual = Math.min(USUAL_NOTES.most, Math.max(USUAL_NOTES.least, Math.round(input / SYMBOLS_PER_NOTE)))
    const notes = known.get(hashOf(model.id, part))
    if (!notes) steps.push({ input, usual, most: mostNotes(input) })
    const size = notes ? countSymbols(writeMinutes(notes)) : null
    usualSize += size ?? usual
    mostSize += size ?? mostNotes(input)
  }
  const last = lastStepOf(kind, parts.length)
  const [usual, most] = [sumOf(steps, 'usual', rates), sumOf(steps, 'most', rates)]
  if (last === null || known.has(lastHashOf(model.id, last, whole))) return { kind, steps: steps.length, usual, most }
  return {
    kind,
    steps: steps.length + 1,
    usual: usual + price(Math.min(longest, usualSize), USUAL_WRITTEN[last], rates),
    most: most + price(Math.min(longest, mostSize + LAST_STEP_EXTRA), MAX_WRITTEN[last], rates),
  }
}

/** Headings of the minutes that a letter is written from, and escaped signs in them. */
const LAST_STEP_EXTRA = 2000

const sumOf = (steps: { input: number; usual: number; most: number }[], size: 'usual' | 'most', rates: Rates) =>
  steps.reduce((sum, step) => sum + price(step.input, step[size], rates), 0)

/** Thoughts are not charged, because the price that was named is the maximum. */
export const ratesOf = ({ inputRate, outputRate }: Rates): Rates => ({ inputRate, outputRate })
