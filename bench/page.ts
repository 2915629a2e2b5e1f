import { parseArgs } from 'node:util'
import { ensureBuilt } from '../scripts/lib/built.mjs'
import { addBenchThreads } from './lib/bench-threads.ts'
import { openBrowser } from './lib/browser.ts'
import { runBench } from './lib/ending.ts'
import { loadGoals } from './lib/goals.ts'
import { startOurs } from './lib/our-server.ts'
import { measureLoad } from './lib/page-load.ts'
import { loadRows, peerRows, streamRows, threadRows } from './lib/page-rows.ts'
import { measureStream, warmUp } from './lib/page-stream.ts'
import { measureThreads } from './lib/page-threads.ts'
import { startPeer } from './lib/peer.ts'
import { printGoals, printTable } from './lib/table.ts'
import { startWorker } from './lib/workers.ts'

/**
 * What the page costs a browser: visits on a slow machine beside a static page with the same text, a long Markdown
 * answer as it is written beside a page that only appends text, and a thread of 2,000 messages.
 * Run: npm run bench:page -- [--only load,stream,threads] [--loads 9] [--as-is] [--peer folder]
 */

const { values: flags } = parseArgs({
  options: {
    only: { type: 'string', default: 'load,stream,threads' },
    loads: { type: 'string', default: '9' },
    'as-is': { type: 'boolean', default: false },
    peer: { type: 'string' },
  },
})
const wanted = new Set(flags.only.split(','))
const LIMIT_SECONDS = 1200

if (!flags['as-is']) await ensureBuilt()
await runBench(LIMIT_SECONDS, async () => {
  const model = await startWorker('mock-model')
  const floor = await startWorker('floor', [`http://127.0.0.1:${model.port}`, 'bench/lib/floor-page.html'])
  const { url, port, prepared } = await startOurs({ embedded: false }, model.port, addBenchThreads)
  const { person, short, large, other } = prepared
  const browser = await openBrowser()
  const peer = flags.peer ? await startPeer(flags.peer) : null
  const tables = []
  const screens = [
    { title: 'Пустой чат', screen: { url: `${url}/`, person, field: 'Сообщение' }, goal: loadGoals.empty },
    {
      title: 'Вход',
      screen: { url: `${url}/auth/signin`, person: null, field: 'Электронная почта' },
      goal: loadGoals.signIn,
    },
    {
      title: 'Чат с Markdown',
      screen: { url: `${url}/threads/${short.threadId}`, person, field: 'Сообщение' },
      goal: loadGoals.thread,
    },
  ]
  for (const { title, screen, goal } of wanted.has('load') ? screens : []) {
    const measured = await measureLoad(browser, screen, Number(flags.loads), goal === loadGoals.empty ? peer : null)
    const rows = loadRows(measured.cost, measured.floor, goal)
    tables.push(printTable(`${title}, процессор в 4 раза медленнее`, rows))
    if (peer && measured.peer)
      printTable(`${peer.name} («предел» — наш пустой чат)`, peerRows(measured.peer, measured.cost))
  }
  if (wanted.has('stream')) {
    await warmUp({ port: floor.port, people: null })
    await warmUp({ port, people: [person] })
    const least = await measureStream(browser, null, `http://127.0.0.1:${floor.port}/`, model.port)
    const ours = await measureStream(browser, person, `${url}/threads/${short.threadId}`, model.port)
    tables.push(printTable('Ответ в 20 000 знаков Markdown, 1000 кусочков через 10 мс', streamRows(ours, least)))
  }
  if (wanted.has('threads')) {
    const cost = await measureThreads(browser, person, url, [large, other])
    tables.push(printTable('Чат из 2000 сообщений', threadRows(cost)))
  }
  printGoals(tables)
  return true
})
