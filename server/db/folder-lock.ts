import { randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { link, mkdir, open, readdir, readFile, rm, stat, statfs, writeFile } from 'node:fs/promises'
import { connect, createServer, type Socket } from 'node:net'
import { hostname } from 'node:os'
import { join } from 'node:path'
import * as z from 'zod/mini'
import { StartError } from '#server/lib/errors.ts'

/** Stored in `<number>`; all fields except the socket are for people. */
interface LockInfo {
  socket: string
  pid: number
  host: string
  bootId: string | null
  since: string
}

/** The subfolder of the lock inside the folder that it protects. */
export const LOCK_FOLDER = 'lock'
const LEFTOVER_MS = 24 * 60 * 60_000
/** NFS, SMB, CIFS, Ceph, AFS: other machines would not see the lock. */
const NETWORK_TYPES = new Set([0x6969, 0xfe534d42, 0xff534d42, 0x517b, 0x00c36400, 0x5346414f])

/** The request of another process for a copy of the folder; the answer is the path of the copy. */
const COPY = 'copy\n'
const COPY_MS = 600_000
const QUESTION_MS = 10_000
/** The signal fires when the connection that asked for the copy is closed: no one else uses it. */
type MakeCopy = (unneeded: AbortSignal) => Promise<string>
const Answer = z.union([z.object({ path: z.string() }), z.object({ error: z.string() })])

/**
 * Two processes on one folder would corrupt the embedded database. The holder listens on a socket in the folder, which
 * the kernel closes with the process. See docs/decisions/005.
 */
export async function lockFolder(
  folder: string,
  makeCopy: MakeCopy = () => Promise.reject(new Error('The database is not open yet')),
): Promise<() => Promise<void>> {
  const directory = join(folder, LOCK_FOLDER)
  await mkdir(directory, { recursive: true, mode: 0o700 })
  await assertLocalDisk(folder)
  const handle = await open(directory, 'r')
  // A socket's path may have only 107 bytes; through the open directory it is always short.
  const short = `/proc/self/fd/${handle.fd}`
  const socketPath = (name: string) => join(existsSync(short) ? short : directory, name)
  const name = randomUUID()
  const own = { socket: `${name}.sock`, info: join(directory, `${name}.new`) }
  let server: Listener | null = null
  try {
    server = await listen(socketPath(own.socket), makeCopy).catch(throwNoLock(folder))
    if (!(await isListening(socketPath(own.socket)))) throwNoLock(folder)(new Error('no answer'))
    await writeFile(own.info, JSON.stringify(await ownInfo(own.socket)), { mode: 0o600 })
    const number = await takeNumber(folder, directory, own.info, socketPath)
    await removeOlder(directory, number)
  } catch (error) {
    await server?.close()
    await rm(own.info, { force: true })
    await handle.close()
    throw error
  }
  return async () => {
    await server?.close()
    await handle.close()
  }
}

/**
 * Numbers only grow. A process links the next number, which only one can do, and only when no process answers on the
 * newest. A process that linked a number below a newer one withdraws.
 */
async function takeNumber(
  folder: string,
  directory: string,
  info: string,
  socketPath: (name: string) => string,
): Promise<number> {
  for (;;) {
    const newest = await newestIn(directory)
    const holder = newest > 0 ? await readInfo(join(directory, String(newest))) : null
    if (holder && (await isListening(socketPath(holder.socket)))) throw busyError(folder, holder)
    const mine = newest + 1
    const path = join(directory, String(mine))
    try {
      await link(info, path)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'EEXIST') continue
      throwNoLock(folder)(error as Error)
    }
    if ((await newestIn(directory)) === mine) {
      await rm(info, { force: true })
      return mine
    }
    await rm(path, { force: true })
  }
}

async function newestIn(directory: string): Promise<number> {
  const numbers = (await readdir(directory)).filter((name) => /^\d+$/.test(name)).map(Number)
  return Math.max(0, ...numbers)
}

/** Null when a process with a newer number removed it, or when a power loss emptied it. */
async function readInfo(path: string): Promise<LockInfo | null> {
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return ''
    throw error
  })
  try {
    return JSON.parse(text) as LockInfo
  } catch {
    return null
  }
}

/** Removes the files of former holders. Files without a number, left by a killed process, are removed by age. */
async function removeOlder(directory: string, number: number): Promise<void> {
  for (const name of await readdir(directory)) {
    const path = join(directory, name)
    const isNumber = /^\d+$/.test(name)
    if (isNumber && Number(name) < number) {
      const info = await readInfo(path)
      if (info) await rm(join(directory, info.socket), { force: true })
      await rm(path, { force: true })
    }
    const made = isNumber ? null : await stat(path).catch(() => null)
    if (made && made.mtimeMs < Date.now() - LEFTOVER_MS) await rm(path, { force: true })
  }
}

export async function isHeld(folder: string): Promise<boolean> {
  return (await withHolder(folder, async (path) => isListening(path))) ?? false
}

export interface DatabaseCopy {
  path: string
  /** Lets the holder remove the copy, which it also does when this process ends. */
  giveBack: () => void
}

/** Asks the process that holds the folder for a copy of it. Null when it is free. */
export function copyFromHolder(folder: string): Promise<DatabaseCopy | null> {
  return withHolder(folder, async (socketPath) => {
    if (!(await isListening(socketPath))) return null
    const { text, socket } = await ask(socketPath, COPY)
    const answer = Answer.parse(JSON.parse(text))
    if ('path' in answer) return { path: answer.path, giveBack: () => socket.destroy() }
    socket.destroy()
    throw new Error(`Работающий сервер не сделал копию базы: ${answer.error}`)
  })
}

/** Calls `work` with the path of the newest holder's socket, alive or not. Null if the folder was never held. */
async function withHolder<T>(folder: string, work: (socketPath: string) => Promise<T>): Promise<T | null> {
  const directory = join(folder, LOCK_FOLDER)
  const newest = await newestIn(directory).catch(() => 0)
  const holder = newest > 0 ? await readInfo(join(directory, String(newest))) : null
  if (!holder) return null
  const handle = await open(directory, 'r')
  const short = `/proc/self/fd/${handle.fd}`
  try {
    return await work(join(existsSync(short) ? short : directory, holder.socket))
  } finally {
    await handle.close()
  }
}

const NO_COPY =
  'Работающий сервер не дал копию базы: он останавливается или старше этой сборки. Повторите через минуту или остановите его на время копирования.'

/** The first line of the answer; the connection stays open. */
function ask(path: string, question: string): Promise<{ text: string; socket: Socket }> {
  return new Promise((done, fail) => {
    let text = ''
    const socket = connect(path, () => socket.write(question))
    socket.setTimeout(COPY_MS, () => socket.destroy(new Error('Работающий сервер не ответил за десять минут.')))
    socket.on('data', (data: Buffer) => {
      text += data.toString()
      if (!text.endsWith('\n')) return
      socket.setTimeout(0)
      socket.unref()
      done({ text, socket })
    })
    socket.once('error', fail)
    socket.once('close', () => fail(new Error(NO_COPY)))
  })
}

interface Listener {
  close: () => Promise<void>
}

/** A connection without a question asks whether the folder is held. */
function listen(path: string, makeCopy: MakeCopy): Promise<Listener> {
  return new Promise((done, fail) => {
    const open = new Set<Socket>()
    const server = createServer((socket) => {
      open.add(socket)
      socket.on('error', () => {})
      socket.once('close', () => open.delete(socket))
      socket.setTimeout(QUESTION_MS, () => socket.destroy())
      socket.once('data', (data: Buffer) => {
        if (data.toString() !== COPY) return void socket.destroy()
        socket.setTimeout(0)
        const unneeded = new AbortController()
        socket.once('close', () => unneeded.abort())
        return void makeCopy(unneeded.signal).then(
          (copy) => socket.write(`${JSON.stringify({ path: copy })}\n`),
          (error: Error) => socket.end(`${JSON.stringify({ error: error.message })}\n`),
        )
      })
      socket.unref()
    })
    server.once('error', fail)
    // Open connections do not delay the stop.
    const close = () =>
      new Promise<void>((closed) => {
        server.close(() => closed())
        for (const socket of open) socket.destroy()
      })
    server.listen(path, () => {
      server.unref()
      done({ close })
    })
  })
}

/** Whether a living process listens there. Only unambiguous errors count as no. */
function isListening(path: string): Promise<boolean> {
  return new Promise((done, fail) => {
    const socket = connect(path, () => {
      socket.destroy()
      done(true)
    })
    socket.once('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'ECONNREFUSED' || error.code === 'ENOENT') done(false)
      else if (error.code === 'EACCES' || error.code === 'EPERM')
        fail(
          new StartError(
            `Нет прав проверить, занята ли папка данных (${error.message}). Запускайте сервер всегда от одного и того же пользователя.`,
          ),
        )
      else done(true)
    })
  })
}

async function ownInfo(socket: string): Promise<LockInfo> {
  const bootId = await readFile('/proc/sys/kernel/random/boot_id', 'utf8').catch(() => null)
  return {
    socket,
    pid: process.pid,
    host: hostname(),
    bootId: bootId?.trim() ?? null,
    since: new Date().toISOString(),
  }
}

const busyError = (folder: string, { pid, host, since }: LockInfo) =>
  new StartError(
    `Папка данных ${folder} уже занята другим запущенным сервером (процесс ${pid} на ${host}, с ${since}). Остановите его или задайте другой DATA_DIR.`,
  )

async function assertLocalDisk(folder: string): Promise<void> {
  const { type } = await statfs(folder)
  if (NETWORK_TYPES.has(type >>> 0)) throw noLockError(folder, 'сетевой диск')
}

const throwNoLock =
  (folder: string) =>
  (error: NodeJS.ErrnoException): never => {
    if (error.code === 'ENOSPC' || error.code === 'EDQUOT') throw error
    throw noLockError(folder, error.code ?? error.message)
  }

const noLockError = (folder: string, reason: string) =>
  new StartError(
    `Папку данных ${folder} нельзя закрепить за одним сервером (${reason}), а два на одной папке испортят данные. Перенесите DATA_DIR на локальный диск или задайте DATABASE_URL.`,
  )
