import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { modelsQuery, textModels } from '#web/features/models/queries.ts'
import { formatNumber } from '#web/lib/format.ts'
import { Button } from '#web/ui/button.tsx'
import { ErrorNote } from '#web/ui/callout.tsx'
import { Card } from '#web/ui/card.tsx'
import { SelectField } from '#web/ui/form/select-field.tsx'
import { TextField } from '#web/ui/text-field.tsx'
import { refreshKeys } from './queries.ts'

interface TryKeyProps {
  /** The key that was just made; empty when it has to be pasted. */
  secret: string
  onSecret: (secret: string) => void
}

/** One message through /v1, as a program sends it: with the key and without the session. */
export function TryKey({ secret, onSecret }: TryKeyProps) {
  const { data: models = [] } = useQuery(modelsQuery)
  const usable = textModels(models)
  const [modelId, setModelId] = useState('')
  const [text, setText] = useState('Скажи «привет» по-русски')
  const model = modelId || (usable[0]?.id ?? '')
  const client = useQueryClient()
  const asking = useMutation({
    meta: { silent: true },
    mutationFn: () => ask(secret.trim(), model, text),
    onSuccess: () => refreshKeys(client),
  })
  return (
    <Card>
      <form
        noValidate
        className="flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault()
          asking.mutate()
        }}
      >
        <TextField
          label="Ключ API"
          type="password"
          autoComplete="off"
          placeholder="sym-…"
          value={secret}
          onChange={(event) => onSecret(event.target.value)}
        />
        <SelectField
          label="Модель"
          value={model}
          options={usable.map(({ id, name }) => ({ value: id, label: name }))}
          onChange={(event) => setModelId(event.target.value)}
        />
        <TextField label="Сообщение" value={text} onChange={(event) => setText(event.target.value)} />
        <p className="text-sm text-muted">
          Ответ до 300 токенов. Спишется столько же, сколько за такой вопрос в чате; в чатах он не появится.
        </p>
        <Button
          type="submit"
          variant="primary"
          className="self-start"
          busy={asking.isPending}
          disabled={secret.trim() === '' || text.trim() === '' || model === ''}
        >
          Отправить
        </Button>
        <ErrorNote text={asking.error?.message} title="Сервер отказал" />
        {asking.data && !asking.isPending && (
          <div className="flex flex-col gap-1 rounded-md bg-hover/60 px-4 py-3" aria-live="polite">
            <p className="whitespace-pre-wrap wrap-anywhere">{asking.data.text || 'Пустой ответ'}</p>
            {asking.data.charged !== null && (
              <p className="figures text-sm text-muted">Списано {formatNumber(asking.data.charged)}</p>
            )}
          </div>
        )}
      </form>
    </Card>
  )
}

interface Completion {
  choices?: { message?: { content?: string | null } }[]
  usage?: { symbols?: { charged?: number } }
  error?: { message?: string }
}

async function ask(secret: string, model: string, text: string): Promise<{ text: string; charged: number | null }> {
  // biome-ignore lint/style/noRestrictedGlobals: as a program calls it, without the session and with errors of OpenAI's form
  const response = await fetch('/v1/chat/completions', {
    method: 'POST',
    credentials: 'omit',
    headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model, messages: [{ role: 'user', content: text }], max_tokens: 300 }),
  }).catch(() => null)
  if (!response) throw new Error('Сервер не ответил. Проверьте связь и повторите.')
  const answer: Completion | null = await response.json().catch(() => null)
  if (!response.ok) throw new Error(answer?.error?.message ?? `Ответ ${response.status}`)
  return { text: answer?.choices?.[0]?.message?.content ?? '', charged: answer?.usage?.symbols?.charged ?? null }
}
