import { usersApi } from '#contract/users.ts'
import { api } from '../api.ts'
import { hasFields, readJson } from '../stored.ts'
import { hashOf, open, type PublicKey, seal } from './box.ts'
import { putBox, readBoxes, removeBox } from './boxes.ts'
import { OWNER_KEY, SEALED_KEY } from './names.ts'
import { recordingsOf, restoreRecording, type SealedRecording } from './recordings.ts'

/**
 * What a user has written and not sent stays in the clear only while they are signed in. Afterwards it is sealed with
 * their public key; the private one is on the server, which gives it to no one else (docs/decisions/054).
 */

interface Owner extends PublicKey {
  userId: string
}

const KEPT_MS = 30 * 86_400_000

function readOwner(): Owner | null {
  const owner = readJson(localStorage.getItem(OWNER_KEY))
  return hasFields<Owner>(owner, { userId: 'string', x: 'string', y: 'string' }) ? owner : null
}

/** Gets the key that will seal this user's words, so that a session may end without a network. */
export async function protectWords(userId: string): Promise<void> {
  if (readOwner()?.userId === userId) return
  const { x, y } = await api(usersApi.wordsKey, {})
  localStorage.setItem(OWNER_KEY, JSON.stringify({ userId, x, y } satisfies Owner))
}

/** True when recordings have moved. */
export async function settle(userId: string | null): Promise<boolean> {
  const owner = readOwner()
  const haveLeft = owner !== null && owner.userId !== userId && (await sealWords(owner))
  const haveCome = userId !== null && (await openWords(userId))
  await dropOld()
  return haveLeft || haveCome
}

async function sealWords(owner: Owner): Promise<boolean> {
  dispatchEvent(new Event('leaving'))
  const entries = wordsOf(owner.userId)
  const recordings = await recordingsOf(owner.userId).catch(() => [])
  const stored = { owner: await hashOf(owner.userId), at: Date.now() }
  const put = async (bytes: Uint8Array<ArrayBuffer>) => putBox({ ...stored, box: await seal(owner, bytes) })
  try {
    if (entries.length > 0) await put(pack({ entries }))
    for (const recording of recordings) await put(pack({ recording: recording.row }, await recording.bytes()))
    if (entries.length + recordings.length > 0) localStorage.setItem(SEALED_KEY, 'yes')
  } finally {
    // Also where nothing could be sealed: words of a user who has left are not left readable.
    for (const [key] of entries) localStorage.removeItem(key)
    for (const recording of recordings) await recording.remove()
    localStorage.removeItem(OWNER_KEY)
    for (const key of namesIn(sessionStorage)) if (key.startsWith('last-thread:')) sessionStorage.removeItem(key)
  }
  return recordings.length > 0
}

async function openWords(userId: string): Promise<boolean> {
  const hash = await hashOf(userId)
  const mine = (await readBoxes()).filter(({ owner }) => owner === hash)
  if (mine.length === 0) return false
  const key = await api(usersApi.wordsKey, {})
  await protectWords(userId)
  let isRecording = false
  for (const stored of mine) {
    // A box that cannot be opened was sealed before the installation got another secret; it ends with its time.
    const bytes = await open(key, stored.box).catch(() => null)
    if (!bytes) continue
    const [head, rest] = unpack(bytes)
    for (const [name, value] of head.entries ?? []) restore(name, value)
    if (head.recording) await restoreRecording(head.recording, rest)
    isRecording ||= head.recording !== undefined
    await removeBox(stored)
  }
  return isRecording
}

async function dropOld(): Promise<void> {
  const boxes = await readBoxes()
  const old = boxes.filter(({ at }) => Date.now() - at > KEPT_MS)
  for (const box of old) await removeBox(box)
  if (old.length === boxes.length) localStorage.removeItem(SEALED_KEY)
}

const namesIn = (storage: Storage) => Array.from({ length: storage.length }, (_, i) => storage.key(i) ?? '')

/** Drafts, unsent messages and choices of a user. The name of a transcript does not say whose it is. */
function wordsOf(userId: string): [string, string][] {
  return namesIn(localStorage).flatMap((name): [string, string][] => {
    const value = localStorage.getItem(name) ?? ''
    const [kind, id] = name.split(':')
    if (/^(?:draft|image-draft|minutes-draft|thinking|web-search)$/.test(kind ?? ''))
      return id === userId ? [[name, value]] : []
    if (kind === 'outbox')
      return (readJson(value) as { userId?: string } | null)?.userId === userId ? [[name, value]] : []
    return kind === 'transcript' && id ? [[name, value]] : []
  })
}

/** Puts a value back, and notifies the stores of this page as if another tab had written it. */
function restore(key: string, value: string): void {
  const oldValue = localStorage.getItem(key)
  const newValue = oldValue === null ? value : joined(oldValue, value)
  localStorage.setItem(key, newValue)
  dispatchEvent(new StorageEvent('storage', { key, oldValue, newValue }))
}

/** A draft that was begun meanwhile follows the one that comes back. */
function joined(newer: string, older: string): string {
  const [now, before] = [readJson(newer), readJson(older)]
  const isText = (value: unknown) => hasFields<{ text: string }>(value, { text: 'string' })
  if (!isText(now) || !isText(before)) return newer
  const { files = [], ...draft } = now as { text: string; files?: unknown[] }
  const { files: earlier = [] } = before as { files?: unknown[] }
  const text = [before.text.trimEnd(), now.text].filter(Boolean).join('\n\n')
  return JSON.stringify({ ...draft, text, files: [...earlier, ...files] })
}

/** JSON with its length before it, and the bytes of a recording after it. */
interface Head {
  entries?: [string, string][]
  recording?: SealedRecording
}

function pack(head: Head, rest: ArrayBuffer = new ArrayBuffer(0)): Uint8Array<ArrayBuffer> {
  const json = new TextEncoder().encode(JSON.stringify(head))
  const packed = new Uint8Array(4 + json.length + rest.byteLength)
  new DataView(packed.buffer).setUint32(0, json.length)
  packed.set(json, 4)
  packed.set(new Uint8Array(rest), 4 + json.length)
  return packed
}

function unpack(packed: Uint8Array<ArrayBuffer>): [Head, ArrayBuffer] {
  const end = 4 + new DataView(packed.buffer).getUint32(0)
  const head = JSON.parse(new TextDecoder().decode(packed.subarray(4, end))) as Head
  return [head, packed.slice(end).buffer]
}
