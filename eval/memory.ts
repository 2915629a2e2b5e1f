import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { findPdftoppm, makePicture } from '#server/files/page-picture.ts'
import { createPool } from '#server/files/pool.ts'
import { makePaper, makeScanPdf } from '#server/files/testing/make-scan.ts'
import { documents } from '#server/files/types.ts'
import { createRun } from '#server/lib/run-program.ts'
import { createProviders } from '#server/llm/providers.ts'
import { SPEECHKIT_KEY, startFakeSpeechKit } from '#server/llm/testing/fake-speech.ts'

/**
 * Measures by how much the memory of this process grows at its peak, and fails above a bound, while a scan of 600 pages
 * is opened, while its pages become pictures, and while a recording of four hours is sent. Run: npm run eval:memory
 */

const PAGES = 600
/** Pictures of so many pages apart: all of them take minutes. */
const EVERY = 6
const HOURS = 4
const MB = 1024 * 1024
const never = new AbortController().signal

const folder = await mkdtemp(join(tmpdir(), 'symbol-memory-'))
const pool = createPool({ threads: 1, workMs: 600_000, heapMb: 512 })
try {
  const paper = await makePaper(Array.from({ length: 10 }, (_, n) => `Строка ${n} договора`))
  const scan = makeScanPdf(Array.from({ length: PAGES }, () => paper))
  const source = { path: join(folder, 'scan.pdf'), mime: documents.pdf.mime, userId: 'u' }
  await writeFile(source.path, scan)
  console.log(`scan: ${PAGES} pages, ${toMb(scan.length)} MB; a decoded page has ${toMb(620 * 877 * 3)} MB`)
  await measure('opening it', 300, () => pool.use((parse) => parse({ mime: source.mime, bytes: new Uint8Array(scan) })))
  const render = await findPdftoppm(folder, createRun(process.env.PATH))
  if (render) await measure('its pictures by pdftoppm', 200, () => everyPage(render))
  else console.log('  pdftoppm is not installed')
  await measure('its pictures without pdftoppm', 400, () => everyPage(null))

  async function everyPage(how: typeof render) {
    for (let page = 1; page <= PAGES; page += EVERY) await makePicture({ pool, render: how }, source, page, never)
  }

  const kit = await startFakeSpeechKit()
  const { baseUrl } = kit
  const recognizer = createProviders([{ name: 'kit', kind: 'speechkit', baseUrl, apiKey: SPEECHKIT_KEY }]).recognizer(
    'kit',
  )
  const chunk = Buffer.alloc(256 * 1024, 7)
  const count = Math.ceil((HOURS * 3600 * 32_000) / chunk.length)
  const sound = {
    bytes: count * chunk.length,
    read: async function* () {
      for (let n = 0; n < count; n += 1) yield chunk
    },
  }
  const recording = {
    model: 'general',
    sound,
    mime: 'audio/wav',
    language: null,
    seconds: HOURS * 3600,
    speakers: null,
  }
  console.log(`recording: ${HOURS} hours, ${toMb(sound.bytes)} MB`)
  await measure('sending it', 150, () => recognizer?.start(recording, never))
  await kit.close()
} finally {
  await pool.close()
  await rm(folder, { recursive: true, force: true })
}

async function measure(what: string, mostMb: number, work: () => unknown): Promise<void> {
  const before = process.memoryUsage.rss()
  const started = performance.now()
  let peak = before
  const watch = setInterval(() => {
    peak = Math.max(peak, process.memoryUsage.rss())
  }, 20)
  await work()
  clearInterval(watch)
  const grown = (peak - before) / MB
  const isAbove = grown > mostMb
  if (isAbove) process.exitCode = 1
  const seconds = ((performance.now() - started) / 1000).toFixed(0)
  console.log(`  ${what}: +${grown.toFixed(0)} MB at its peak, ${seconds} s${isAbove ? `  ABOVE ${mostMb} MB` : ''}`)
}

function toMb(bytes: number): string {
  return (bytes / MB).toFixed(1)
}
