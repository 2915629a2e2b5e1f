import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { isInstalled, nginxArgs } from '../../scripts/lib/nginx.ts'
import { freePort } from '../../scripts/lib/services.mjs'
import { callAs } from '../lib/calls.ts'
import { makeTrackedFolder } from '../lib/ending.ts'
import { end, startProcess, untilPortOpens } from '../lib/processes.ts'
import type { Scenario } from '../lib/scenario.ts'
import type { Stage } from '../lib/stage.ts'

/** Node closes an idle connection after this time by default. */
const IDLE_MS = 5000
/** Requests of a volley are spread over this time around it. */
const SPREAD_MS = 40
/** Fewer than the connections that nginx keeps. */
const VOLLEY = 48

async function startNginx({ at }: Stage) {
  const folder = makeTrackedFolder(join('.cache', 'drill-nginx-'))
  const port = await freePort()
  const args = nginxArgs({ folder: join(process.cwd(), folder), port, upstreams: [at(0).port, at(1).port] })
  const child = startProcess({ name: 'nginx', command: 'nginx', args })
  await untilPortOpens(port, child)
  return { url: `http://127.0.0.1:${port}`, stop: () => end(child, 'SIGTERM') }
}

/** POSTs on connections that nginx has kept for about as long as a server used to, until stopped. */
function postInVolleys({ people, fail }: Stage, url: string) {
  let isOver = false
  let sent = 0
  const post = async (index: number) => {
    const person = people[index % people.length]
    if (!person) return
    await pause((index / VOLLEY) * SPREAD_MS)
    const { status } = await callAs(person, `${url}/api/threads`, { method: 'POST', body: {} })
    sent += 1
    if (status !== 200) fail(`запрос через nginx: ${status}`)
  }
  const volleys = (async () => {
    while (!isOver) {
      await Promise.all(Array.from({ length: VOLLEY }, (_, index) => post(index)))
      await pause(IDLE_MS - SPREAD_MS / 2)
    }
  })()
  return {
    reach: async (count: number) => {
      const wanted = sent + count
      while (sent < wanted) await pause(50)
    },
    stop: async () => {
      isOver = true
      await volleys
    },
  }
}

export const behindNginx: Scenario[] = [
  {
    id: '3c',
    name: 'перезапуск двух по очереди за nginx, отправки без 502',
    isShort: true,
    instances: 2,
    run: async (stage) => {
      if (!isInstalled('nginx')) return { skipped: 'нет nginx' }
      const nginx = await startNginx(stage)
      const posting = postInVolleys(stage, nginx.url)
      await posting.reach(VOLLEY * (stage.isShort ? 3 : 10))
      for (const instance of stage.instances) {
        await instance.stop()
        await instance.start()
        // nginx tries a server again five seconds after it was refused.
        await posting.reach(VOLLEY * 2)
      }
      await posting.stop()
      await nginx.stop()
      return null
    },
  },
]
