import { customType } from 'drizzle-orm/pg-core'
import type { Citation, InputParts } from '#contract/threads.ts'

/**
 * Earlier releases wrote `excerpts` for the passages of an answer and `chunkId` for a passage; stored rows keep these
 * names.
 */
type StoredParts = Omit<InputParts, 'passages'> & { excerpts?: number }
type StoredCitation = Omit<Citation, 'passageId'> & { chunkId: string }

const json = (value: unknown): unknown => (typeof value === 'string' ? JSON.parse(value) : value)

export function writeParts({ passages, ...parts }: InputParts): string {
  return JSON.stringify({ ...parts, excerpts: passages } satisfies StoredParts)
}

export function writeCitations(citations: readonly Citation[]): string {
  return JSON.stringify(citations.map(({ passageId, ...rest }): StoredCitation => ({ ...rest, chunkId: passageId })))
}

export const inputParts = customType<{ data: InputParts; driverData: unknown }>({
  dataType: () => 'jsonb',
  toDriver: writeParts,
  fromDriver: (value) => {
    const { excerpts = 0, ...parts } = json(value) as StoredParts
    return { ...parts, passages: excerpts }
  },
})

export const citationList = customType<{ data: Citation[]; driverData: unknown }>({
  dataType: () => 'jsonb',
  toDriver: writeCitations,
  fromDriver: (value) =>
    (json(value) as StoredCitation[]).map(({ chunkId, ...rest }) => ({ ...rest, passageId: chunkId })),
})
