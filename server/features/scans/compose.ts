import { setTimeout as pause } from 'node:timers/promises'
import { and, asc, eq } from 'drizzle-orm'
import { countSymbols } from '#contract/billing.ts'
import type { Db } from '#server/db/client.ts'
import { files, scanPages } from '#server/db/schema.ts'
import { type DocumentPart, joinParts, type ReadText } from '#server/files/text.ts'
import { inHalfAMinute, updateFiles } from '../files/claims.ts'
import { fileAsText } from '../files/files.ts'
import { readUploaded } from '../files/reading.ts'
import type { ScanDeps } from './pages.ts'

const POLL_MS = 500

/** Puts the read pages between those that had a text, and has an assistant's file indexed with them. */
export async function composeFile(deps: ScanDeps, fileId: string, signal: AbortSignal): Promise<void> {
  let outcome = await deps.db.transaction((tx) => composeOnce(tx, deps, fileId))
  // Someone else reads or indexes the file: its row would be overwritten.
  while (outcome === 'busy') {
    await pause(POLL_MS, undefined, { signal })
    outcome = await deps.db.transaction((tx) => composeOnce(tx, deps, fileId))
  }
  if (outcome === 'index')
    readUploaded(deps, fileId).catch((error: unknown) => deps.log.error({ err: error }, 'scans: indexing failed'))
}

async function composeOnce(tx: Db, deps: ScanDeps, fileId: string): Promise<'busy' | 'index' | 'done'> {
  const { kind, name, state, libraryId, content, pages } = files
  const [file] = await tx
    .select({ kind, name, state, libraryId, content, pages })
    .from(files)
    .where(eq(files.id, fileId))
    .for('no key update')
  if (!file) return 'done'
  if (file.state !== 'ready' && file.state !== 'failed') return 'busy'
  const read = await tx
    .select({ number: scanPages.number, text: scanPages.text })
    .from(scanPages)
    .where(and(eq(scanPages.fileId, fileId), eq(scanPages.state, 'ready')))
    .orderBy(asc(scanPages.number))
  const whole = mergePages({ content: file.content ?? '', pages: file.pages ?? [] }, read, file.kind === 'image')
  if (whole.content === '' || whole.content === file.content) return 'done'
  const text = { ...whole, symbols: countSymbols(fileAsText(file.name, whole.content)), error: null }
  const indexed = { state: 'uploaded', progress: 0, tries: 0, instance: null, claimableAt: inHalfAMinute } as const
  const next = file.libraryId ? indexed : ({ state: 'ready', progress: 100 } as const)
  await updateFiles({ db: tx, publish: deps.publish }, eq(files.id, fileId), { ...text, ...next })
  return file.libraryId ? 'index' : 'done'
}

const pageName = (number: number) => `стр. ${number}`

/** A page that was read replaces what the file said there; repeating it changes nothing. */
export function mergePages(
  { content, pages }: Pick<ReadText, 'content' | 'pages'>,
  read: readonly { number: number; text: string | null }[],
  isSingle = false,
): Pick<ReadText, 'content' | 'pages'> {
  const texts = new Map<number, string>()
  for (const [n, { name, offset }] of pages.entries())
    texts.set(Number(/\d+$/.exec(name)?.[0] ?? 0), content.slice(offset, pages[n + 1]?.offset).trimEnd())
  for (const { number, text } of read) if (text) texts.set(number, text)
  const parts = [...texts].toSorted(([a], [b]) => a - b)
  return joinParts(parts.map(([number, text]): DocumentPart => ({ name: isSingle ? null : pageName(number), text })))
}
