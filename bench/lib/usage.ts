import { readdirSync, readFileSync, writeFileSync } from 'node:fs'

const TICKS = 100
const PAGE_BYTES = 4096

interface Usage {
  name: string
  parent: number
  /** Processor seconds with all threads, as the kernel counts them. */
  cpu: number
  /** The same of its children that have ended. */
  endedCpu: number
  mib: number
}

function tryUsage(pid: number): Usage | null {
  let stat: string
  try {
    stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
  } catch {
    return null
  }
  const end = stat.lastIndexOf(')')
  const fields = stat
    .slice(end + 2)
    .split(' ')
    .map(Number)
  const [parent = 0, user = 0, system = 0, pages = 0] = [fields[1], fields[11], fields[12], fields[21]]
  const [endedUser = 0, endedSystem = 0] = [fields[13], fields[14]]
  return {
    name: stat.slice(stat.indexOf('(') + 1, end),
    parent,
    cpu: (user + system) / TICKS,
    endedCpu: (endedUser + endedSystem) / TICKS,
    mib: (pages * PAGE_BYTES) / 2 ** 20,
  }
}

export function usage(pid: number): Usage {
  const found = tryUsage(pid)
  if (!found) throw new Error(`Процесса ${pid} больше нет`)
  return found
}

/** Processor seconds of the database, whose processes descend from ours; 0 where it is not a process. */
export function postgresCpu(): number {
  const all = new Map<number, Usage>()
  for (const name of readdirSync('/proc')) {
    const found = /^\d+$/.test(name) ? tryUsage(Number(name)) : null
    if (found) all.set(Number(name), found)
  }
  const isOurs = ({ parent }: Usage): boolean => {
    const next = all.get(parent)
    return parent === process.pid || (next !== undefined && isOurs(next))
  }
  return [...all.values()]
    .filter((one) => one.name === 'postgres' && isOurs(one))
    .reduce((total, { cpu, endedCpu }) => total + cpu + endedCpu, 0)
}

/** Watches a process while something happens: what it spent, and the most memory it had. */
export async function measureUsage<Result>(pid: number, action: () => Promise<Result>) {
  const before = usage(pid)
  let peakMib = before.mib
  const timer = setInterval(() => {
    peakMib = Math.max(peakMib, tryUsage(pid)?.mib ?? 0)
  }, 200)
  try {
    const result = await action()
    return { result, cpu: usage(pid).cpu - before.cpu, peakMib }
  } finally {
    clearInterval(timer)
  }
}

export interface Peak<Result> {
  result: Result
  seconds: number
  beforeMib: number
  peakMib: number
}

/** The most memory of a process while something happens, as the kernel notes it: no moment between polls is missed. */
export async function peakMemory<Result>(pid: number, action: () => Promise<Result>): Promise<Peak<Result>> {
  const beforeMib = usage(pid).mib
  writeFileSync(`/proc/${pid}/clear_refs`, '5')
  const started = performance.now()
  const result = await action()
  const [, peak = ''] = /VmHWM:\s*(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
  return { result, seconds: (performance.now() - started) / 1000, beforeMib, peakMib: Number(peak) / 1024 }
}
