import { parentPort } from 'node:worker_threads'
import { docxTranscript } from '../../transcriptions/docx-file.ts'
import { docxFile, docxText } from './file.ts'
import type { DocxRequest } from './make.ts'

parentPort?.on('message', async (request: DocxRequest) => {
  const bytes = await write(request)
  parentPort?.postMessage(bytes, [bytes.buffer])
})

function write(request: DocxRequest): Promise<Uint8Array<ArrayBuffer>> {
  if (request.type === 'transcript') return docxTranscript(request.transcript, request.owner)
  return request.type === 'text' ? docxText(request) : docxFile(request)
}
