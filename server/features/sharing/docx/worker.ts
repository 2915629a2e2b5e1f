import { parentPort } from 'node:worker_threads'
import { docxTranscript } from '../../transcriptions/docx-file.ts'
import { docxFile } from './file.ts'
import type { DocxOrder } from './make.ts'

/** The worker thread that makes Word documents. */

parentPort?.on('message', async (order: DocxOrder) => {
  const bytes = await write(order)
  parentPort?.postMessage(bytes, [bytes.buffer])
})

function write(order: DocxOrder): Promise<Uint8Array<ArrayBuffer>> {
  if (order.type === 'transcript') return docxTranscript(order.transcript, order.owner)
  return docxFile(order)
}
