import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import * as z from 'zod'
import { newId } from '#server/lib/ids.ts'
import type { Mail } from './mail.ts'

const MAX_EMAILS = 200
const SUFFIX = '.json'

const StoredEmail = z.object({
  id: z.string(),
  sentAt: z.string(),
  to: z.string(),
  subject: z.string(),
  text: z.string(),
  html: z.string(),
})
export type StoredEmail = z.infer<typeof StoredEmail>

/** Stores emails in a folder when no mail server is set; /dev/mail shows them. */
export interface Mailbox {
  mail: Mail
  /** Newest first. */
  list: () => Promise<StoredEmail[]>
  get: (id: string) => Promise<StoredEmail | null>
}

export async function openMailbox(folder: string): Promise<Mailbox> {
  await mkdir(folder, { recursive: true })
  let lastMoment = 0

  /** Gives two emails of one millisecond different times. */
  function nextMoment(): number {
    lastMoment = Math.max(Date.now(), lastMoment + 1)
    return lastMoment
  }

  /** Ids sort by time, so file names do too. */
  async function idsNewestFirst(): Promise<string[]> {
    const names = (await readdir(folder)).filter((name) => name.endsWith(SUFFIX))
    return names
      .map((name) => name.slice(0, -SUFFIX.length))
      .sort()
      .reverse()
  }

  async function read(id: string): Promise<StoredEmail | null> {
    try {
      return StoredEmail.parse(JSON.parse(await readFile(join(folder, id + SUFFIX), 'utf8')))
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
      throw error
    }
  }

  return {
    mail: async (message) => {
      const moment = nextMoment()
      const stored: StoredEmail = { id: newId(moment), sentAt: new Date(moment).toISOString(), ...message }
      await writeFile(join(folder, stored.id + SUFFIX), JSON.stringify(stored, null, 2), { mode: 0o600 })
      const tooOld = (await idsNewestFirst()).slice(MAX_EMAILS)
      await Promise.all(tooOld.map((id) => rm(join(folder, id + SUFFIX), { force: true })))
    },
    list: async () => {
      const messages = await Promise.all((await idsNewestFirst()).map(read))
      return messages.filter((message) => message !== null)
    },
    get: async (id) => (/^[\w-]{1,64}$/.test(id) ? read(id) : null),
  }
}
