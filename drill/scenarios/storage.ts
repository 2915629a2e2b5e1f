import { readFileSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import sharp from 'sharp'
import { expectAlert, expectAlertOver } from '../lib/alerts.ts'
import { type Called, callAs } from '../lib/calls.ts'
import { IMAGE_MODEL, IMAGE_PRICE, type Person } from '../lib/people.ts'
import type { Scenario } from '../lib/scenario.ts'
import { type Stage, secondsSince, until, untilFlowing } from '../lib/stage.ts'

const FROZEN_SECONDS = 15
const UPLOAD_SECONDS = 40
/** Each instance checks the storage every half a minute. */
const STORAGE_KNOWN_SECONDS = 45
const JUNK_BYTES = 19 * 1024 * 1024
const JUNK_FILES = 5
const MAX_MEGABYTES = 700

function upload(
  person: Person,
  at: string,
  bytes: Uint8Array<ArrayBuffer>,
  name: string,
  type: string,
): Promise<Called> {
  const form = new FormData()
  form.set('file', new Blob([bytes], { type }), name)
  return callAs(person, `${at}/api/files`, { method: 'POST', form, limitSeconds: UPLOAD_SECONDS })
}

const aDocument = () => new TextEncoder().encode('Документ для проверки хранилища. '.repeat(20))

/** A known error in Russian, not the sentence for unexpected errors. */
function expectRejection(stage: Stage, { status, body, seconds }: Called, mayBeLate: boolean) {
  const hasRussianMessage = status >= 400 && status !== 500 && /[а-я]/i.test(String(body.message))
  const isLate = mayBeLate && status >= 200 && status < 300
  if (!hasRussianMessage && !isLate)
    stage.fail(`загрузка без хранилища: ${status} ${body.message ?? ''} за ${seconds.toFixed(1)} с`)
}

/** An image that cannot be stored is free; one that is stored late is charged. */
async function tryImage(stage: Stage, person: Person) {
  const body = { prompt: 'круг', modelId: IMAGE_MODEL }
  const made = await callAs(person, `${stage.balancer.url}/api/images`, { method: 'POST', body })
  const id = Array.isArray(made.body) ? String(made.body[0]?.id) : null
  if (!id) return stage.fail(`картинка не заказана: ${made.status}`)
  let image: Called['body'] = {}
  const isOver = async () => {
    image = (await callAs(person, `${stage.balancer.url}/api/images/${id}`)).body
    return image.status !== 'making'
  }
  if (!(await until(60, isOver))) return stage.fail('картинка не закончена за 60 с')
  if (image.charged !== (image.status === 'ready' ? IMAGE_PRICE : 0))
    stage.fail(`картинка: ${image.status}, списано ${image.charged}`)
}

async function runWithoutStorage(
  stage: Stage,
  takeAway: () => Promise<void> | void,
  mayBeLate = false,
): Promise<number> {
  const [person] = stage.people.slice(stage.streams)
  if (!person) return 0
  await untilFlowing(stage.askAll({ words: 200 }))
  await takeAway()
  if (mayBeLate) setTimeout(() => stage.s3.thaw(), FROZEN_SECONDS * 1000).unref()
  const uploading = upload(person, stage.balancer.url, aDocument(), 'a.txt', 'text/plain')
  await Promise.all([tryImage(stage, person), uploading])
  expectRejection(stage, await uploading, mayBeLate)
  if (!mayBeLate) await expectAlert(stage, 'StorageDown')
  await stage.s3.restore()
  const began = performance.now()
  const isBack = async () => (await upload(person, stage.balancer.url, aDocument(), 'b.txt', 'text/plain')).status < 300
  if (!(await until(20, isBack))) stage.fail('загрузка не работает после возвращения хранилища')
  const seconds = secondsSince(began)
  await expectAlertOver(stage, 'StorageDown', STORAGE_KNOWN_SECONDS)
  return seconds
}

async function junkImage(): Promise<Uint8Array<ArrayBuffer>> {
  const head = await sharp({ create: { width: 4000, height: 4000, channels: 3, background: 'red' } })
    .png()
    .toBuffer()
  const bytes = Buffer.alloc(JUNK_BYTES, 7)
  head.copy(bytes, 0, 0, 60)
  return bytes
}

function megabytesOf(pid: number): number {
  try {
    return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024
  } catch {
    return 0
  }
}

export const storage: Scenario[] = [
  {
    id: '16',
    name: 'хранилище S3 убито',
    endSeconds: 30,
    run: (stage) => runWithoutStorage(stage, () => stage.s3.kill()),
  },
  {
    id: '16b',
    name: 'хранилище S3 зависло',
    endSeconds: 30,
    run: (stage) => runWithoutStorage(stage, () => stage.s3.freeze(), true),
  },
  {
    id: '23',
    name: 'пять больших картинок из мусора от одного человека',
    instances: 1,
    run: async (stage) => {
      const [person] = stage.people
      if (!person) return null
      const { url, pid } = stage.at(0)
      const before = megabytesOf(pid())
      let most = before
      const sampler = setInterval(() => {
        most = Math.max(most, megabytesOf(pid()))
      }, 100)
      const junk = await junkImage()
      const sent = await Promise.all(
        Array.from({ length: JUNK_FILES }, (_, i) => upload(person, url, junk, `${i}.png`, 'image/png')),
      )
      for (const { status } of sent) if (status < 400 || status >= 500) stage.fail(`мусор принят: ${status}`)
      const { status } = await stage.at(0).ready()
      if (status !== 200) stage.fail(`готовность: ${status}`)
      await pause(500)
      clearInterval(sampler)
      if (most > MAX_MEGABYTES) stage.fail(`память ${before.toFixed(0)} → ${most.toFixed(0)} МБ`)
      return null
    },
  },
]
