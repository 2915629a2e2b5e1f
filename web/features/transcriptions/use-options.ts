import { useState } from 'react'
import type { Model } from '#contract/models.ts'
import type { TranscriptionOptions } from '#contract/transcriptions.ts'
import { isLanguage } from './labels.ts'

const LANGUAGE = 'transcribe:language'
const MODEL = 'transcribe:model'

export type OptionsState = ReturnType<typeof useTranscriptionOptions>

/** The choice of last time holds for the next. */
export function useTranscriptionOptions(models: readonly Model[]) {
  const [language, setLanguage] = useState(() => localStorage.getItem(LANGUAGE) ?? '')
  const [modelId, setModelId] = useState(() => localStorage.getItem(MODEL))
  const model = models.find(({ id }) => id === modelId) ?? models[0]
  const remember = (key: string, set: (value: string) => void) => (value: string) => {
    localStorage.setItem(key, value)
    set(value)
  }
  const body: TranscriptionOptions = {
    ...(model ? { modelId: model.id } : {}),
    ...(isLanguage(language) ? { language } : {}),
  }
  return {
    language: isLanguage(language) ? language : '',
    model,
    body,
    setLanguage: remember(LANGUAGE, setLanguage),
    setModel: remember(MODEL, setModelId),
  }
}
