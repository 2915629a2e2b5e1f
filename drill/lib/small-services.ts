import { type ChildProcess, execFileSync } from 'node:child_process'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from '../../scripts/lib/services.mjs'
import { makeTrackedFolder } from './ending.ts'
import { end, isRunning, startProcess, untilPortOpens } from './processes.ts'

/** A service of one process: Redis, or the S3-compatible storage. */
export interface Service {
  port: number
  start: () => Promise<void>
  kill: () => Promise<void>
  freeze: () => void
  thaw: () => void
  /** Restores it to a running state, whatever a scenario did. */
  restore: () => Promise<void>
}

export function openRedis(): Promise<Service> {
  return openService('redis', (port, folder) => {
    const settings = ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--dir', folder]
    return { command: 'redis-server', args: settings }
  })
}

export const BUCKET = 'drill'

/** The default keys of the S3 server. */
export const S3_KEYS = { id: 'S3RVER', secret: 'S3RVER' }

export function openS3(): Promise<Service> {
  return openService('s3', (port, folder) => {
    const where = ['-d', folder, '-a', '127.0.0.1', '-p', String(port), '--no-vhost-buckets', '-s']
    const args = ['node_modules/s3rver/bin/s3rver.js', ...where, '--configure-bucket', BUCKET]
    return { command: process.execPath, args }
  })
}

export function sendToRedis({ port }: Service, ...words: string[]): void {
  execFileSync('redis-cli', ['-p', String(port), ...words], { stdio: 'ignore' })
}

async function openService(
  name: string,
  how: (port: number, folder: string) => { command: string; args: string[] },
): Promise<Service> {
  const folder = makeTrackedFolder(join(tmpdir(), `symbol-drill-${name}-`))
  const port = await freePort()
  let child: ChildProcess | null = null
  const service: Service = {
    port,
    start: async () => {
      child = startProcess({ name, ...how(port, folder) })
      await untilPortOpens(port, child)
    },
    kill: async () => {
      if (child) await end(child, 'SIGKILL')
    },
    freeze: () => child?.kill('SIGSTOP'),
    thaw: () => child?.kill('SIGCONT'),
    restore: async () => {
      if (child && isRunning(child)) service.thaw()
      else await service.start()
    },
  }
  await service.start()
  return service
}
