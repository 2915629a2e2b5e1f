import { createReadStream } from 'node:fs'
import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { ReadableStream } from 'node:stream/web'
import { newId } from '#server/lib/ids.ts'
import { OWNER_FILE, type Range, type Storage, splitKey } from './storage.ts'

/** Uploads are written here first, on the same disk, so that storing one is a rename. */
export const incomingIn = (root: string) => join(root, 'incoming')

/** Objects in a folder. The last characters of an id are random and spread the files over subfolders. */
export async function diskStorage(root: string): Promise<Storage> {
  await mkdir(incomingIn(root), { recursive: true, mode: 0o700 })
  const pathOf = (key: string) => {
    const [prefix, id] = splitKey(key)
    return join(root, prefix, id.slice(-2), id)
  }

  /** Bytes are written to the incoming folder first, so that no key ever has a partial file. */
  const draft = async (content: Uint8Array) => {
    const path = join(incomingIn(root), newId())
    await writeFile(path, content, { mode: 0o600 }).catch(async (error: unknown) => {
      await rm(path, { force: true })
      throw error
    })
    return path
  }

  return {
    put: async (key, content) => {
      const path = pathOf(key)
      const from = 'path' in content ? content.path : await draft(content)
      await mkdir(dirname(path), { recursive: true, mode: 0o700 })
      await rename(from, path)
    },
    read: async (key, range) => {
      const path = pathOf(key)
      const info = await stat(path).catch(nullIfMissing)
      const bytes = range ? range.to - range.from + 1 : info?.size
      return info && { bytes: bytes ?? info.size, stream: ReadableStream.from<Uint8Array>(chunksOf(path, range)) }
    },
    delete: (key) => rm(pathOf(key), { force: true }),
    list: async function* (prefix) {
      for (const shard of (await readdir(join(root, prefix)).catch(nullIfMissing)) ?? []) {
        for (const id of await readdir(join(root, prefix, shard))) {
          const info = await stat(join(root, prefix, shard, id)).catch(nullIfMissing)
          if (info) yield { key: `${prefix}/${id}`, at: info.mtime }
        }
      }
    },
    readOwner: () => readFile(join(root, OWNER_FILE), 'utf8').catch(nullIfMissing),
    writeOwner: async (owner) => rename(await draft(Buffer.from(owner)), join(root, OWNER_FILE)),
  }
}

/** The file is opened at the first read, so that an unused stream holds no descriptor. */
async function* chunksOf(path: string, range?: Range): AsyncGenerator<Uint8Array> {
  yield* createReadStream(path, range ? { start: range.from, end: range.to } : {})
}

function nullIfMissing(error: NodeJS.ErrnoException): null {
  if (error.code === 'ENOENT') return null
  throw error
}
