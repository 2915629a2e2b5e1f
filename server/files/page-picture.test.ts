import { execFile } from 'node:child_process'
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { promisify } from 'node:util'
import sharp from 'sharp'
import { afterAll, describe, expect, test } from 'vitest'
import { createRun, type Run } from '#server/lib/run-program.ts'
import { createGate } from '#server/testing/gate.ts'
import { findPdftoppm, makePicture, type RenderPage } from './page-picture.ts'
import { createPool } from './pool.ts'
import { NO_PICTURE, Unreadable } from './rejections.ts'
import { makeDrawnPdf } from './testing/make-pdf.ts'
import { makeBitmap, makePaper, makeScanPdf } from './testing/make-scan.ts'
import { documents } from './types.ts'

const pool = createPool({ threads: 1, workMs: 20_000, heapMb: 256 })
const never = new AbortController().signal
const folder = await mkdtemp(join(tmpdir(), 'pictures-'))
const pdftoppm = await findPdftoppm(folder, createRun('/usr/bin:/bin'))
afterAll(async () => {
  await pool.close()
  await rm(folder, { recursive: true, force: true })
})

async function pictureOf(bytes: Buffer, number: number, mime = documents.pdf.mime, render: RenderPage | null = null) {
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

test('pdftoppm runs twice at once, once for a person (S10.1224)', async () => {
  const running: string[] = []
  const gate = createGate()
  const render = await findPdftoppm(folder, async (_, args) => {
    if (args[0] === '-v') return ''
    running.push(args.at(-2) ?? '')
    await gate.opened
    return ''
  })
  const rendering = ['anna', 'anna', 'boris', 'vera'].map((userId) => render?.({ path: userId, userId }, 1, never))
  await new Promise((done) => setImmediate(done))
  expect(running).toEqual(['anna', 'boris'])
  gate.open()
  await Promise.all(rendering)
  expect(running).toHaveLength(4)
})

test.skipIf(pdftoppm === null)('a page of endless work ends with its processor time (S10.1224)', async () => {
  const limited = await findPdftoppm(folder, async (program, args, signal) => {
    const [, script = ''] = args
    if (program === 'sh') expect(script).toMatch(/^ulimit -v \d+ 2>\/dev\/null; ulimit -t 20 /)
    return createRun('/usr/bin:/bin')(
      program,
      program === 'sh' ? ['-c', 'ulimit -t 1; while :; do :; done'] : args,
      signal,
    )
  })
  await expect(limited?.({ path: 'any', userId: 'u' }, 1, never)).rejects.toThrow()
})

describe.skipIf(pdftoppm === null)('the installed pdftoppm', () => {
  const render = (pdf: Buffer, number: number) => pictureOf(pdf, number, documents.pdf.mime, pdftoppm)
  const darkness = async (content: Buffer, left: number, top: number) => {
    const inked = await sharp(content).extract({ left, top, width: 100, height: 10 }).toBuffer()
    return 255 - ((await sharp(inked).stats()).channels[0]?.mean ?? 255)
  }

  test('renders the asked page of a scan, letters included (S10.765)', async () => {
    const pdf = makeScanPdf([await makePaper([]), await makePaper(['Договор']), makeBitmap(800, 1200)])
    expect((await render(pdf, 1)).isBlank).toBe(true)
    const { content, isBlank } = await render(pdf, 2)
    const { width = 0, height = 0 } = await sharp(content).metadata()
    expect([isBlank, height, Math.round((width / height) * 100)]).toEqual([false, 2000, 71])
    // The bar of the paper is 90 of 877 above its lower edge.
    expect(await darkness(content, 200, Math.round((793 / 877) * 2000))).toBeGreaterThan(200)
    expect(await darkness(content, 200, 1000)).toBeLessThan(20)
    expect((await render(pdf, 3)).isBlank).toBe(false)
  })

  test('renders drawn pages, which nothing else can (S10.765)', async () => {
    const { content, isBlank } = await render(makeDrawnPdf(['0 0 100 100 re f']), 1)
    expect(isBlank).toBe(false)
    const { width = 0, height = 0 } = await sharp(content).metadata()
    expect(Math.max(width, height)).toBe(2000)
  })

  test('a file that it cannot read, or without the page, is rejected (S10.765)', async () => {
    await expect(render(Buffer.from('%PDF-1.4 no pages'), 1)).rejects.toBeInstanceOf(Unreadable)
    await expect(render(makeDrawnPdf([' ']), 7)).rejects.toThrow()
  })

  test('a stop ends the program (S10.765)', async () => {
    const path = join(folder, 'stopped.pdf')
    await writeFile(path, makeScanPdf([makeBitmap(4960, 7016)]))
    const stop = new AbortController()
    const rendering = pdftoppm?.({ path, userId: 'u' }, 1, stop.signal)
    stop.abort(new Error('enough'))
    await expect(rendering).rejects.toThrow('enough')
  })
})

test('without pdftoppm nothing is rendered', async () => {
  const missing = () => Promise.reject(new Error('not found'))
  expect(await findPdftoppm(folder, missing)).toBeNull()
})
