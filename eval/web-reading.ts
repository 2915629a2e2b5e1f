import { mkdtempSync, rmSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { sqlFolders } from '#server/db/migrate.ts'
import { openDatabase } from '#server/db/open.ts'
import { rankTexts } from '#server/features/knowledge/rank.ts'
import { choosePassages, type ReadPage } from '#server/features/web-search/read-pages.ts'
import { readLibrary } from './lib/library.ts'

/**
 * Measures what a search loses that reads fewer pages and less text: how many questions of `eval/retrieval` have their
 * answer among the chosen passages. A ranking of whole documents stands in for the engine.
 * Run: npm run eval:web-reading
 */

const READINGS = [
  ...[12_000, 6000, 4500, 3000].map((most) => ({ pages: 6, most })),
  ...[12_000, 6000, 5000, 4500, 4000, 3000, 2000].map((most) => ({ pages: 3, most })),
  ...[4500, 3000].map((most) => ({ pages: 2, most })),
]

const folder = mkdtempSync(join(tmpdir(), 'symbol-eval-'))
const database = await openDatabase({ folder }, sqlFolders())
try {
  await database.migrate()
  await evaluate()
} finally {
  await database.close()
  rmSync(folder, { recursive: true, force: true })
}

async function evaluate(): Promise<void> {
  const { db } = database
  const { documents, questions } = await readLibrary('own')
  const all = await Promise.all(documents.map(({ file, name }) => readPage(file, name)))
  const positions: number[] = []
  const hits = READINGS.map(() => ({ found: 0, symbols: 0 }))
  for (const { question, file, quote } of questions) {
    const order = await rankTexts(
      db,
      question,
      all.map(({ title, content }) => ({ name: title, section: null, text: content })),
    )
    const ranked = order.flatMap((at) => all[at] ?? [])
    positions.push(ranked.findIndex(({ url }) => url === file) + 1)
    for (const [i, { pages, most }] of READINGS.entries()) {
      const chosen = await choosePassages(db, question, ranked.slice(0, pages), most)
      const row = hits[i]
      if (!row) continue
      row.symbols += chosen.reduce((sum, { text }) => sum + text.length, 0)
      if (chosen.some(({ url, text }) => url === file && oneSpace(text).includes(oneSpace(quote)))) row.found += 1
    }
  }
  const count = questions.length
  for (const position of [1, 2, 3, 4, 5, 6])
    console.log(
      `the answer is on page ${position}: ${positions.filter((found) => found === position).length} of ${count}`,
    )
  for (const [i, { pages, most }] of READINGS.entries()) {
    const { found = 0, symbols = 0 } = hits[i] ?? {}
    console.log(
      `${pages} pages, ${most} symbols: ${found} of ${count}, on average ${Math.round(symbols / count)} symbols`,
    )
  }
}

async function readPage(file: string, name: string): Promise<ReadPage> {
  const path = fileURLToPath(new URL(`retrieval/documents/${file}`, import.meta.url))
  const content = await readFile(path, 'utf8')
  return { url: file, site: 'site.example', title: name, date: null, content, pages: [] }
}

function oneSpace(text: string): string {
  return text.replace(/\s+/g, ' ')
}
