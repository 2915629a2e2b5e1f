import { createHash } from 'node:crypto'
import { createMask } from '#contract/mask.ts'
import { endOfPart } from '../summaries/make.ts'
import type { SpokenLine } from '../transcriptions/spoken-lines.ts'

/** What the model reads at once. */
export interface Part {
  lines: SpokenLine[]
  text: string
  /** The same with keys instead of names: renaming a speaker does not change it. */
  keyed: string
  /** What the speakers are called, by their keys. */
  names: Record<string, string>
  /** The second at which the next part begins; null for the last one. */
  until: number | null
}

/** A longer line, such as the text of a recording without times, is cut between sentences. */
const MAX_LINE = 2000
/** How much of two lines is looked at to find a value that was said across their border. */
const BORDER = 80

/** A name counts for so many symbols, however long it is: parts stay the same when a speaker is renamed. */
const NAME_SYMBOLS = 20

type AfterValue = ReturnType<typeof createMask>['afterValue']

/**
 * Cuts the recording between lines into parts of about the same size, at most `most` symbols each. No border splits a
 * value that is hidden from models: its half would be sent as it is.
 */
export function cutParts(spoken: readonly SpokenLine[], most: number, names: readonly string[] = []): Part[] {
  const { afterValue } = createMask(names)
  const lines = withoutSplitValues(spoken, afterValue).flatMap((line) => shortLines(line, afterValue))
  const whole = lines.reduce((sum, line) => sum + sizeOf(line), 0)
  const target = Math.ceil(whole / Math.max(1, Math.ceil(whole / most)))
  const groups: SpokenLine[][] = []
  let size = 0
  for (const line of lines) {
    const length = sizeOf(line)
    const last = groups.at(-1)
    if (last && size < target && size + length <= most) last.push(line)
    else {
      groups.push([line])
      size = 0
    }
    size += length
  }
  return groups.map((group, i) => ({
    ...{ lines: group, text: write(group), until: groups[i + 1]?.[0]?.second ?? null },
    keyed: write(group.map((line) => ({ ...line, speaker: line.key ?? line.speaker }))),
    names: namesIn(group),
  }))
}

const sizeOf = (line: SpokenLine) =>
  written({ ...line, speaker: null }, null).length + (line.speaker === null ? 0 : NAME_SYMBOLS) + 1

const namesIn = (lines: readonly SpokenLine[]): Record<string, string> =>
  Object.fromEntries(lines.flatMap(({ key, speaker }) => (key && speaker !== null ? [[key, speaker]] : [])))

/** Joins lines whose border is inside a value, such as a phone number that was said in two breaths. */
function withoutSplitValues(lines: readonly SpokenLine[], afterValue: AfterValue): SpokenLine[] {
  const joined: SpokenLine[] = []
  for (const line of lines) {
    const text = line.text.replace(/\s+/g, ' ').trim()
    if (text === '') continue
    const before = joined.at(-1)
    const start = before?.text.slice(-BORDER) ?? ''
    const isSplit = before !== undefined && afterValue(`${start} ${text.slice(0, BORDER)}`, start.length) > start.length
    if (before && isSplit) before.text += ` ${text}`
    else joined.push({ ...line, text })
  }
  return joined
}

function shortLines(line: SpokenLine, afterValue: AfterValue): SpokenLine[] {
  const pieces: SpokenLine[] = []
  for (let from = 0; from < line.text.length; ) {
    const end = line.text.length - from <= MAX_LINE ? line.text.length : endOfPart(line.text, from + MAX_LINE)
    const to = Math.max(from + 1, afterValue(line.text, end))
    pieces.push({ ...line, text: line.text.slice(from, to).trim() })
    from = to
  }
  return pieces.filter(({ text }) => text !== '')
}

/** A speaker is named where another one begins. */
function write(lines: readonly SpokenLine[]): string {
  let before: string | null = null
  return lines
    .map((line) => {
      const text = written(line, before)
      before = line.speaker
      return text
    })
    .join('\n')
}

function written({ second, speaker, text }: SpokenLine, before: string | null): string {
  const time = second === null ? '' : `[${Math.floor(second)}] `
  return `${time}${speaker !== null && speaker !== before ? `${speaker}: ` : ''}${text}`
}

/** Another wording of the requests makes other notes. */
const REQUEST_VERSION = 2

/** The same model has read the same text already. */
export const hashOf = (modelId: string, { keyed }: Pick<Part, 'keyed'>) => digest(`${modelId}\n${keyed}`)

/** The same for what is written from the notes of all parts. A letter names the recording. */
export const lastHashOf = (modelId: string, step: 'summary' | 'letter', { recording, parts }: Whole) =>
  hashOf(modelId, {
    keyed: [step, step === 'letter' ? recording.title : '', ...parts.map(({ keyed }) => keyed)].join('\n'),
  })

export interface Whole {
  recording: { title: string }
  parts: readonly Part[]
}

/** What the speakers of all parts are called. */
export const namesOf = (parts: readonly Part[]) =>
  Object.assign({}, ...parts.map(({ names }) => names)) as Record<string, string>

const digest = (text: string) => createHash('sha256').update(`${REQUEST_VERSION}\n${text}`).digest('base64url')

/** Tells whether a recording was corrected since. */
export const sourceOf = (lines: readonly SpokenLine[]) =>
  digest(JSON.stringify(lines.map(({ second, speaker, text }) => [second, speaker, text])))
