import { useCallback, useEffect, useRef, useState } from 'react'
import type { Segment, Transcription, TranscriptionChange } from '#contract/transcriptions.ts'
import { holdReload } from '#web/lib/hold-reload.ts'
import { hasFields, readJson } from '#web/lib/stored.ts'

const PAUSE_MS = 900
const RETRY_MS = 5000

export interface TranscriptText {
  text: string
  segments: Segment[] | null
}

export type SaveState = 'saved' | 'waiting' | 'saving' | 'failed'

/**
 * The edited transcript: stored in this browser on every keystroke, sent after a pause, retried until it succeeds.
 * Corrections that an earlier page could not send are sent too.
 */
export function useAutosave(
  { id, text, segments }: Transcription,
  save: (change: TranscriptionChange) => Promise<unknown>,
) {
  const [transcript, setTranscript] = useState<TranscriptText>(() => readDraft(id) ?? { text, segments })
  const [state, setState] = useState<SaveState>(() => (readDraft(id) ? 'waiting' : 'saved'))
  const latest = useRef(transcript)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const send = useRef(save)
  send.current = save

  const flush = useCallback(async () => {
    clearTimeout(timer.current)
    const sent = latest.current
    if (readDraft(id) === null) return
    setState('saving')
    try {
      await send.current(sent.segments ? { segments: sent.segments } : { text: sent.text })
      if (latest.current !== sent) return
      writeDraft(id, null)
      setState('saved')
    } catch {
      setState('failed')
      timer.current = setTimeout(() => void flush(), RETRY_MS)
    }
  }, [id])

  const correct = useCallback(
    (next: TranscriptText) => {
      latest.current = next
      setTranscript(next)
      writeDraft(id, next)
      setState('waiting')
      clearTimeout(timer.current)
      timer.current = setTimeout(() => void flush(), PAUSE_MS)
    },
    [id, flush],
  )

  /** Takes a text from another tab or the original transcript. */
  const replace = useCallback(
    (next: TranscriptText) => {
      clearTimeout(timer.current)
      writeDraft(id, null)
      latest.current = next
      setTranscript(next)
      setState('saved')
    },
    [id],
  )

  useEffect(() => {
    if (readDraft(id)) void flush()
    return () => void flush()
  }, [id, flush])
  useEffect(() => (state === 'saved' ? undefined : holdReload('a transcript is not saved yet')), [state])
  return { transcript, state, correct, replace, flush }
}

/** Unsaved corrections, stored in this browser. */

const keyOf = (id: string) => `transcript:${id}`
/** If the browser's storage is full, they live as long as the page. */
const memory = new Map<string, TranscriptText>()

function readDraft(id: string): TranscriptText | null {
  const draft = memory.get(id) ?? readJson(localStorage.getItem(keyOf(id)))
  if (!hasFields<TranscriptText>(draft, { text: 'string' })) return null
  return draft.segments === null || areSegments(draft.segments) ? draft : null
}

function areSegments(value: unknown): value is Segment[] {
  const isSegment = (part: unknown) => hasFields<Segment>(part, { start: 'number', end: 'number', text: 'string' })
  return Array.isArray(value) && value.every(isSegment)
}

function writeDraft(id: string, draft: TranscriptText | null): void {
  if (draft) memory.set(id, draft)
  else memory.delete(id)
  try {
    if (draft) localStorage.setItem(keyOf(id), JSON.stringify(draft))
    else localStorage.removeItem(keyOf(id))
  } catch {
    // Kept in memory instead.
  }
}
