import { resolve } from 'node:path'
import { copyProduction } from './lib/production.mjs'

/** Copies what the built server needs to run into a folder: node scripts/production.mjs FOLDER */
const [folder] = process.argv.slice(2)
if (!folder) {
  console.error('Куда копировать? Нужно: node scripts/production.mjs ПАПКА')
  process.exit(1)
}
await copyProduction(process.cwd(), resolve(folder))
