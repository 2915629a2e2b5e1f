import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { knownOr } from './known-or.ts'

/** `offered`: the pages wait for their owner's consent to the price. */
export const ScanState = z.enum(['offered', 'queued', 'working', 'stopped', 'ready'])
export type ScanState = z.infer<typeof ScanState>

/** A page that the model did not read. It cost nothing. */
const FailedPage = z.object({ number: z.int(), error: z.string() })

/** The pages of a file that have no usable text, and their reading by a model that sees. */
export const Scan = z.object({
  fileId: z.string(),
  state: knownOr(ScanState, 'working'),
  /** Pages that need reading. */
  pages: z.int(),
  read: z.int(),
  failed: z.array(FailedPage),
  /** Pages that are read when the reading starts again; a page that failed too often is not among them. */
  left: z.int(),
  /** Symbols per page; null when no model may read them. */
  pagePrice: z.nullable(z.int()),
  /** What the pages that are left would cost; null when no model may read them. */
  price: z.nullable(z.int()),
  /** Why no model may read them, in a sentence for the owner. */
  refusal: z.nullable(z.string()),
  /** Why the reading stopped, in a sentence for the owner. */
  error: z.nullable(z.string()),
  charged: z.int(),
})
export type Scan = z.infer<typeof Scan>

/** More pages of one file are not read. */
export const MAX_SCAN_PAGES = 1000

export const scansApi = {
  get: endpoint('GET', '/api/scans/:fileId', {
    who: 'user',
    summary: 'Страницы файла, которые нужно прочитать с картинки: сколько их, цена и что уже прочитано',
    returns: Scan,
  }),
  start: endpoint('POST', '/api/scans/:fileId/start', {
    who: 'user',
    summary:
      'Прочитать страницы, продолжить или повторить непрочитанные; pagePrice — цена страницы, с которой согласны',
    body: z.strictObject({ pagePrice: z.int().check(z.minimum(0), z.maximum(1_000_000_000)) }),
    returns: Scan,
  }),
  stop: endpoint('POST', '/api/scans/:fileId/stop', {
    who: 'user',
    consent: 'unneeded',
    summary: 'Остановить чтение; прочитанные страницы останутся',
    returns: Scan,
  }),
  picture: endpoint('GET', '/api/scans/:fileId/pages/:number/picture', {
    who: 'user',
    summary: 'Картинка страницы, JPEG',
    answers: 'file',
  }),
}
