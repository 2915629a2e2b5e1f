import { useState } from 'react'
import type { Model } from '#contract/models.ts'
import type { TranscriptionOptions } from '#contract/transcriptions.ts'
import { SPEECH_MODEL, usualSpeechModel } from '#web/features/models/queries.ts'
import { SelectField } from '#web/ui/form/select-field.tsx'
import { isLanguage, languageOptions, speakersNote } from './labels.ts'

interface TranscriptionOptionFieldsProps {
  models: readonly Model[]
  options: OptionsState
}

/** Language and model; the model is offered only if there are several. */
export function TranscriptionOptionFields({ models, options }: TranscriptionOptionFieldsProps) {
  return (
    <div className="grid gap-4 sm:grid-cols-2">
      <SelectField
        label="Язык записи"
        options={languageOptions}
        value={options.language}
        onChange={(event) => options.setLanguage(event.target.value)}
      />
      {models.length > 1 && (
        <SelectField
          label="Модель"
          options={models.map(({ id, name }) => ({ value: id, label: name }))}
          value={options.model?.id ?? ''}
          onChange={(event) => options.setModel(event.target.value)}
        />
      )}
      {options.model?.speakers && (
        <p className="text-sm text-muted sm:col-span-2">{speakersNote(options.model.maxSpeakers ?? null)}</p>
      )}
    </div>
  )
}

const LANGUAGE = 'transcribe:language'

export type OptionsState = ReturnType<typeof useTranscriptionOptions>

/** The last choice is remembered in this browser. */
export function useTranscriptionOptions(models: readonly Model[]) {
  const [language, setLanguage] = useState(() => localStorage.getItem(LANGUAGE) ?? '')
  const [modelId, setModelId] = useState(() => localStorage.getItem(SPEECH_MODEL))
  const model = models.find(({ id }) => id === modelId) ?? usualSpeechModel(models)
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
    setModel: remember(SPEECH_MODEL, setModelId),
  }
}
