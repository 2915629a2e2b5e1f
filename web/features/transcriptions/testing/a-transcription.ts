import type { Transcription } from '#contract/transcriptions.ts'

export function aTranscription(change: Partial<Transcription> = {}): Transcription {
  return {
    ...{ id: 't1', title: 'Совещание', fileName: 'Совещание.wav', mime: 'audio/wav', bytes: 100, received: 100 },
    ...{ durationMs: 60_000, language: null, modelId: 'ear', status: 'failed', progress: 0 },
    ...{ partsDone: 0, partsTotal: 1, edited: false, charged: 0, paid: 0, error: null, fragment: [] },
    ...{ text: '', segments: null, speakers: [] },
    ...{ createdAt: '2026-01-01T00:00:00.000Z', updatedAt: '2026-01-01T00:00:00.000Z' },
    ...change,
  }
}
