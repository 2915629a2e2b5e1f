import { execFile } from 'node:child_process'
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { promisify } from 'node:util'
import sharp from 'sharp'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Run } from '#server/lib/run-program.ts'
import { findPdftoppm, makePicture } from './page-picture.ts'
import { createPool } from './pool.ts'
import { NO_PICTURE } from './rejections.ts'
import { makeDrawnPdf } from './testing/make-pdf.ts'
import { makeBitmap, makePaper, makeScanPdf } from './testing/make-scan.ts'
import { documents } from './types.ts'

const pool = createPool({ threads: 1, workMs: 20_000, heapMb: 256 })
const never = new AbortController().signal
let folder = ''
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'pictures-'))
})
afterAll(async () => {
  await pool.close()
  await rm(folder, { recursive: true, force: true })
})

async function pictureOf(bytes: Buffer, number: number, mime = documents.pdf.mime, render = null) {
  const path = join(folder, 'given')
  await writeFile(path, bytes)
  return makePicture({ pool, render }, { path, mime, userId: 'u' }, number, never)
}

test('a scanned page becomes a picture without other programs (S10.751)', async () => {
  const pages = [await makePaper(['Договор']), makeBitmap(800, 1200), await makePaper([])]
  const pdf = makeScanPdf(pages)
  const colour = await pictureOf(pdf, 1)
  expect(await sharp(colour.content).metadata()).toMatchObject({ format: 'jpeg', width: 620, height: 877 })
  expect(colour.isBlank).toBe(false)
  const grey = await pictureOf(pdf, 2)
  expect(await sharp(grey.content).metadata()).toMatchObject({ width: 800, height: 1200 })
  const inked = await sharp(grey.content).extract({ left: 60, top: 400, width: 50, height: 50 }).toBuffer()
  const { channels } = await sharp(inked).stats()
  expect(channels[0]?.mean).toBeLessThan(20)
  expect((await pictureOf(pdf, 3)).isBlank).toBe(true)
})

test('a large picture is scaled down (S10.751)', async () => {
  const { content } = await pictureOf(makeScanPdf([makeBitmap(4960, 7016)]), 1)
  expect(await sharp(content).metadata()).toMatchObject({ height: 2000 })
})

test('pages of a TIFF and photos become pictures (S10.751)', async () => {
  const page = (colour: string) => sharp({ create: { width: 90, height: 60, channels: 3, background: colour } }).png()
  const frames = await Promise.all(['#000', '#fff'].map((colour) => page(colour).toBuffer()))
  const tiff = await sharp(frames, { join: { animated: true } })
    .tiff()
    .toBuffer()
  const [first, second] = [await pictureOf(tiff, 1, 'image/tiff'), await pictureOf(tiff, 2, 'image/tiff')]
  const brightness = async (content: Buffer) => (await sharp(content).stats()).channels[0]?.mean
  expect(await brightness(first.content)).toBeLessThan(5)
  expect(await brightness(second.content)).toBeGreaterThan(250)
  const paper = await makePaper(['Чек'])
  expect((await pictureOf(paper.picture, 1, 'image/jpeg')).isBlank).toBe(false)
})

test('a drawn page needs pdftoppm, an empty one does not (S10.751)', async () => {
  await expect(pictureOf(makeDrawnPdf(['0 0 100 100 re f']), 1)).rejects.toThrow(NO_PICTURE)
  expect((await pictureOf(makeDrawnPdf([' ']), 1)).isBlank).toBe(true)
})

test('pdftoppm renders one page, and its failure falls back to the image (S10.751)', async () => {
  const paper = await makePaper(['Договор'])
  const [programs, args] = [join(folder, 'bin'), join(folder, 'args')]
  await mkdir(programs)
  const program = join(programs, 'pdftoppm')
  const sample = join(folder, 'sample.jpg')
  await writeFile(sample, (await makePaper(['Другое'], 300, 400)).picture)
  // The last argument is the name without its ending, as for the real program.
  const script = `#!/bin/sh\n[ "$1" = -v ] && exit 0\necho "$@" > ${args}\nfor last; do :; done\ncp ${sample} "$last.jpg"\n`
  await writeFile(program, script)
  await chmod(program, 0o755)
  const run: Run = async (name, given) => {
    const env = { PATH: [programs, '/usr/bin', '/bin'].join(delimiter) }
    return (await promisify(execFile)(name, given, { env })).stdout
  }
  const render = await findPdftoppm(folder, run)
  const pdf = join(folder, 'whole.pdf')
  await writeFile(pdf, makeScanPdf([paper, paper, paper]))
  const source = { path: pdf, mime: documents.pdf.mime, userId: 'u' }
  const { content } = await makePicture({ pool, render }, source, 3, never)
  expect(await sharp(content).metadata()).toMatchObject({ width: 300, height: 400 })
  expect(await readFile(args, 'utf8')).toMatch(/^-f 3 -l 3 -singlefile -jpeg -jpegopt quality=90 -scale-to 2000 /)
  await writeFile(program, '#!/bin/sh\nexit 1\n')
  const other = await makePicture({ pool, render }, source, 2, never)
  expect(await sharp(other.content).metadata()).toMatchObject({ width: 620 })
  expect((await readdir(folder)).filter((name) => name.endsWith('.jpg'))).toEqual(['sample.jpg'])
})

test('without pdftoppm nothing is rendered', async () => {
  const missing = () => Promise.reject(new Error('not found'))
  expect(await findPdftoppm(folder, missing)).toBeNull()
})
