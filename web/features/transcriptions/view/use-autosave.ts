import { useCallback, useEffect, useRef, useState } from 'react'
import * as z from 'zod/mini'
import { Segment, type Transcription, type TranscriptionChange } from '#contract/transcriptions.ts'
import { holdReload } from '#web/lib/hold-reload.ts'

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

const Draft = z.object({ text: z.string(), segments: z.nullable(z.array(Segment)) })
type TextDraft = z.infer<typeof Draft>

const keyOf = (id: string) => `transcript:${id}`
/** If the browser's storage is full, they live as long as the page. */
const memory = new Map<string, TextDraft>()

function readDraft(id: string): TextDraft | null {
  const known = memory.get(id)
  if (known) return known
  try {
    const stored = Draft.safeParse(JSON.parse(localStorage.getItem(keyOf(id)) ?? 'null'))
    return stored.success ? stored.data : null
  } catch {
    return null
  }
}

function writeDraft(id: string, draft: TextDraft | null): void {
  if (draft) memory.set(id, draft)
  else memory.delete(id)
  try {
    if (draft) localStorage.setItem(keyOf(id), JSON.stringify(draft))
    else localStorage.removeItem(keyOf(id))
  } catch {
    // Kept in memory instead.
  }
}
