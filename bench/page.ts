import { parseArgs } from 'node:util'
import { ensureBuilt } from '../scripts/lib/built.mjs'
import { openBrowser } from './lib/browser.ts'
import { runBench } from './lib/ending.ts'
import { startOurs } from './lib/our-server.ts'
import { measureLoad } from './lib/page-load.ts'
import { addPlaces } from './lib/page-locations.ts'
import { loadRows, streamRows, threadRows } from './lib/page-rows.ts'
import { measureStream } from './lib/page-stream.ts'
import { measureThreads } from './lib/page-threads.ts'
import { printGoals, printTable } from './lib/table.ts'
import { startWorker } from './lib/workers.ts'

/**
 * What the page costs a browser: the first load on a slow machine, a long Markdown answer as it is written beside a
 * page that only appends text, and a thread of 2,000 messages.
 * Run: npm run bench:page -- [--only load,stream,threads] [--as-is]
 */

const { values: flags } = parseArgs({
  options: {
    only: { type: 'string', default: 'load,stream,threads' },
    'as-is': { type: 'boolean', default: false },
  },
})
const wanted = new Set(flags.only.split(','))
const LIMIT_SECONDS = 300
const LOADS = 3

if (!flags['as-is']) await ensureBuilt()
await runBench(LIMIT_SECONDS, async () => {
  const model = await startWorker('mock-model')
  const floor = await startWorker('floor', [`http://127.0.0.1:${model.port}`, 'bench/lib/floor-page.html'])
  const { url, prepared } = await startOurs({ embedded: false }, model.port, addPlaces)
  const { person, short, large, other } = prepared
  const browser = await openBrowser()
  const tables = []
  if (wanted.has('load')) {
    const empty = await measureLoad(browser, person, `${url}/`, LOADS)
    const thread = await measureLoad(browser, person, `${url}/threads/${short.threadId}`, LOADS)
    tables.push(printTable('Пустой чат, первый раз, процессор в 4 раза медленнее', loadRows(empty, 150)))
    tables.push(printTable('Беседа, первый раз, процессор в 4 раза медленнее', loadRows(thread, 200)))
  }
  if (wanted.has('stream')) {
    const least = await measureStream(browser, null, `http://127.0.0.1:${floor.port}/`)
    const ours = await measureStream(browser, person, `${url}/threads/${short.threadId}`)
    tables.push(printTable('Ответ в 20 000 знаков Markdown, 1000 кусочков через 10 мс', streamRows(ours, least)))
  }
  if (wanted.has('threads')) {
    const cost = await measureThreads(browser, person, url, [large, other])
    tables.push(printTable('Беседа из 2000 сообщений', threadRows(cost)))
  }
  printGoals(tables)
  return true
})
