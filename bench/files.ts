import { runBench } from './lib/ending.ts'
import { hostileRows } from './lib/hostile-files.ts'
import { indexRows } from './lib/index-file.ts'
import { searchRows } from './lib/search-passages.ts'
import { printGoals, printTable } from './lib/table.ts'

/**
 * Measures files of assistants: how long a PDF of 200 pages takes until it is indexed, and how fast the server answers
 * others meanwhile; a search over 5,000 passages; the memory that thirty hostile files leave behind.
 * Run: npm run bench:files, on the build in dist; with -- --embedded on the embedded database instead of Postgres
 */

await runBench(600, async () => {
  const embedded = process.argv.includes('--embedded')
  const tables = [
    printTable(`PDF из 200 страниц, ${embedded ? 'встроенная база' : 'Postgres'}`, await indexRows(embedded)),
    printTable('Вопрос по 5000 отрывков', await searchRows(embedded)),
    printTable('30 вредных файлов', await hostileRows()),
  ]
  printGoals(tables)
  return tables.every(({ met, goals }) => met === goals)
})
