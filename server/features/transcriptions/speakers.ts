import {
  type Segment,
  SPEAKER_COLORS,
  type Speaker,
  type SpeakerChange,
  usualSpeakerName,
} from '#contract/transcriptions.ts'
import type { StoredSegment, StoredSpeaker } from '#server/db/schema.ts'
import { AppError, notFound } from '#server/lib/errors.ts'

/** The person behind a key: the one it was joined with, or itself; null for a key that is not on the recording. */
export function resolver(stored: readonly StoredSpeaker[]): (key: string | null | undefined) => string | null {
  const byKey = new Map(stored.map((speaker) => [speaker.key, speaker]))
  return (key) => {
    let found = byKey.get(key ?? '')
    while (found?.joinedTo !== undefined) found = byKey.get(found.joinedTo)
    return found?.key ?? null
  }
}

/** Without the joined ones, with names that can be shown. */
export function shownSpeakers(stored: readonly StoredSpeaker[]): Speaker[] {
  return stored
    .filter(({ joinedTo }) => joinedTo === undefined)
    .map(({ key, name, color }) => ({ key, name: name || usualSpeakerName(key), color }))
}

export function shownSegments(segments: readonly StoredSegment[], stored: readonly StoredSpeaker[]): Segment[] {
  const personOf = resolver(stored)
  return segments.map((segment) => ({ ...segment, speaker: personOf(segment.speaker) }))
}

/** One speaker for each key, in the order of their first words, each with the next colour. */
export function speakersIn(segments: readonly StoredSegment[] | null): StoredSpeaker[] {
  const keys = new Set((segments ?? []).flatMap(({ speaker }) => speaker ?? []))
  return [...keys].map((key, i) => ({ key, name: '', color: i % SPEAKER_COLORS }))
}

export function changeSpeakers(stored: readonly StoredSpeaker[], changes: readonly SpeakerChange[]): StoredSpeaker[] {
  let changed = [...stored]
  for (const change of changes) {
    checkChange(changed, change)
    changed = changed.map((speaker) => (speaker.key === change.key ? applied(speaker, change) : speaker))
  }
  return changed
}

function checkChange(stored: readonly StoredSpeaker[], { key, joinedTo }: SpeakerChange): void {
  const isKnown = (wanted: string) => stored.some((speaker) => speaker.key === wanted)
  if (!isKnown(key) || (joinedTo && !isKnown(joinedTo))) throw notFound('Такого участника на записи нет')
  if (joinedTo && resolver(stored)(joinedTo) === key)
    throw new AppError('conflict', 'Эти участники уже объединены.', { field: 'speakers' })
}

function applied({ joinedTo: before, ...speaker }: StoredSpeaker, change: SpeakerChange): StoredSpeaker {
  const joinedTo = change.joinedTo === undefined ? before : change.joinedTo
  // The usual name is not stored: it would stay when another speaker is joined.
  const name = change.name === usualSpeakerName(speaker.key) ? '' : (change.name ?? speaker.name)
  return { ...speaker, name, color: change.color ?? speaker.color, ...(joinedTo ? { joinedTo } : {}) }
}

type CorrectedSegment = Omit<Segment, 'speaker'> & { speaker?: string | null | undefined }

/**
 * Corrected segments with their speakers. A page shows the person that a speaker was joined with; where that has not
 * changed, the speaker itself stays, so that the join can still be undone.
 */
export function correctedSegments(
  corrected: readonly CorrectedSegment[],
  before: readonly StoredSegment[] | null,
  stored: readonly StoredSpeaker[],
): StoredSegment[] {
  const personOf = resolver(stored)
  const known = new Map((before ?? []).map((segment) => [timesOf(segment), segment.speaker ?? null]))
  return corrected.map(({ speaker: given, ...segment }) => {
    const own = known.get(timesOf(segment)) ?? null
    const isSame = given === undefined || personOf(given) === personOf(own)
    return { ...segment, speaker: isSame ? own : personOf(given) }
  })
}

const timesOf = ({ start, end }: Pick<Segment, 'start' | 'end'>) => `${start}-${end}`
