import { useState } from 'react'
import type { Transcription } from '#contract/transcriptions.ts'
import { withPrice } from '#web/lib/format.ts'
import { paths } from '#web/lib/paths.ts'
import { Button, ButtonLink } from '#web/ui/button.tsx'
import { Callout } from '#web/ui/callout.tsx'
import { SelectField } from '#web/ui/form/select-field.tsx'
import { RotateCcw, Square } from '#web/ui/icons.ts'
import { Meter } from '#web/ui/meter.tsx'
import { errorLabel, retryPrice, stateLabel } from '../labels.ts'
import { useRetryFor, useSpeechModels, useStop } from '../queries.ts'

export function RecordingState({ recording }: { recording: Transcription }) {
  if (recording.status === 'failed') return <Failed recording={recording} />
  if (recording.status === 'uploading')
    return (
      <Callout tone="warning" title="Запись ещё не загружена целиком">
        {stateLabel(recording)}. Откройте эту страницу там, где начали загрузку, и она продолжится. Если файла там
        больше нет, удалите запись и загрузите её снова.
      </Callout>
    )
  return <Working recording={recording} />
}

function Working({ recording }: { recording: Transcription }) {
  const stop = useStop(recording.id)
  return (
    <div className="flex flex-col gap-3 rounded-md border bg-surface p-4">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <p role="status" className="font-medium">
          {stateLabel(recording)}
        </p>
        <Button size="sm" icon={<Square size={16} />} busy={stop.isPending} onClick={() => stop.mutate()}>
          Остановить
        </Button>
      </div>
      <Meter
        share={Math.max(recording.progress, 3) / 100}
        className="h-1.5 animate-[breathe_1.6s_ease-in-out_infinite]"
      />
      <p className="text-sm text-muted">Страницу можно закрыть: работа идёт на сервере, текст будет ждать здесь.</p>
    </div>
  )
}

function Failed({ recording }: { recording: Transcription }) {
  const { id, error, modelId, charged } = recording
  const { data: models = [] } = useSpeechModels()
  const [chosen, setChosen] = useState<string | null>(null)
  const retry = useRetryFor(id)
  const isStopped = error?.code === 'stopped'
  const usual = models.some((model) => model.id === modelId) ? modelId : (models[0]?.id ?? null)
  const model = models.find((candidate) => candidate.id === (chosen ?? usual))
  const price = model ? retryPrice(recording, model) : null
  return (
    <Callout
      tone={isStopped ? 'info' : 'danger'}
      title={isStopped ? 'Расшифровка остановлена' : 'Расшифровать не получилось'}
      action={
        <>
          {error?.code === 'out_of_symbols' && <ButtonLink href={paths.profile()}>Пополнить баланс</ButtonLink>}
          <Button
            variant="primary"
            icon={<RotateCcw size={18} />}
            busy={retry.isPending}
            onClick={() => void retry.start(chosen ?? usual, price)}
          >
            {withPrice('Повторить', price)}
          </Button>
        </>
      }
    >
      <p>{errorLabel(error, charged)}</p>
      {models.length > 1 && (
        <div className="mt-3 max-w-72">
          <SelectField
            label="Модель"
            options={models.map((model) => ({ value: model.id, label: model.name }))}
            value={chosen ?? usual ?? ''}
            onChange={(event) => setChosen(event.target.value)}
          />
        </div>
      )}
    </Callout>
  )
}
