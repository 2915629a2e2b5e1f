import { useQuery } from '@tanstack/react-query'
import { useId } from 'react'
import type { Model } from '#contract/models.ts'
import { DEFAULT_NAME_PROMPT, MAX_HISTORY, type Settings } from '#contract/users.ts'
import { modelsQuery } from '#web/features/models/queries.ts'
import { classNames } from '#web/lib/class-names.ts'
import { setEnterSends, useEnterSends } from '#web/lib/enter-setting.ts'
import { formatNumber } from '#web/lib/format.ts'
import { paths } from '#web/lib/paths.ts'
import { Button } from '#web/ui/button.tsx'
import { controlStyle, describeControl, Field } from '#web/ui/field.tsx'
import { SelectField } from '#web/ui/form/select-field.tsx'
import { ChevronDown } from '#web/ui/icons.ts'
import { Switch } from '#web/ui/switch.tsx'
import { TextArea } from '#web/ui/text-area.tsx'
import { TextField } from '#web/ui/text-field.tsx'
import { TextLink } from '#web/ui/text-link.tsx'
import { useUpdateProfile } from './queries.ts'
import { useSavedText } from './use-saved-text.ts'

/** Chat preferences. Every change is saved at once and rolled back if the server rejects it. */
export function ChatSettings({ settings }: { settings: Settings }) {
  const { mutate } = useUpdateProfile()
  const change = (part: Partial<Settings>) => mutate({ Settings: part })
  return (
    <div className="flex flex-col gap-6">
      <ChatSettingsModel modelId={settings.threadModel} onChange={(threadModel) => change({ threadModel })} />
      <ChatSettingsMemory settings={settings} onChange={change} />
      <ChatSettingsTitles settings={settings} onChange={change} />
      <EnterSetting />
    </div>
  )
}

function EnterSetting() {
  const sends = useEnterSends()
  return (
    <Switch
      label="Enter отправляет сообщение"
      hint={
        sends
          ? 'Новая строка: Shift + Enter. На телефоне Enter всегда начинает строку.'
          : 'Enter начинает строку, отправляет Shift + Enter. Запоминается в этом браузере.'
      }
      checked={sends}
      onChange={setEnterSends}
    />
  )
}

interface ChatSettingsModelProps {
  modelId: string | null
  onChange: (modelId: string) => void
}

function ChatSettingsModel({ modelId, onChange }: ChatSettingsModelProps) {
  const id = useId()
  const { data: models = [] } = useQuery(modelsQuery)
  const choices = models
    .filter(({ kind, hidden }) => kind === 'text' && !hidden)
    .sort((a, b) => a.position - b.position)
  const chosen = choices.find((model) => model.id === modelId)
  const hint = chosen ? modelSummary(chosen) : 'Новый чат начнётся с первой модели списка.'
  return (
    <Field id={id} label="Модель для новых чатов" hint={hint}>
      <div className="relative">
        <select
          {...describeControl(id, hint, null)}
          value={chosen?.id ?? ''}
          disabled={choices.length === 0}
          onChange={(event) => onChange(event.target.value)}
          className={classNames(controlStyle, 'h-11 appearance-none pr-10')}
        >
          {!chosen && <option value="">Не выбрана</option>}
          {choices.map((model) => (
            <option key={model.id} value={model.id}>
              {model.name}
            </option>
          ))}
        </select>
        <ChevronDown size={18} className="pointer-events-none absolute top-3 right-3 text-muted" />
      </div>
    </Field>
  )
}

function modelSummary({ description, inputRate, outputRate }: Model): string {
  const rates = ratesText(inputRate, outputRate)
  return description === '' ? rates : `${description.replace(/[.\s]*$/, '')}. ${rates}`
}

function ratesText(input: number, output: number): string {
  if (input !== output) return `Символы вопроса считаются ×${formatNumber(input)}, ответа ×${formatNumber(output)}.`
  return input === 1 ? 'Символы считаются один к одному.' : `Символы считаются ×${formatNumber(input)}.`
}

interface ChatSettingsMemoryProps {
  settings: Settings
  onChange: (part: Partial<Settings>) => void
}

function ChatSettingsMemory({ settings, onChange }: ChatSettingsMemoryProps) {
  const { threadHistory, threadHistoryLimit } = settings
  const limit = useSavedText(String(threadHistoryLimit), (text) => {
    const read = readLimit(text)
    if (read !== null) onChange({ threadHistoryLimit: read })
  })
  return (
    <div className="flex flex-col gap-3">
      <Switch
        label="Помнить историю чата"
        hint={
          threadHistory
            ? 'Вместе с вопросом модель читает предыдущие сообщения чата.'
            : 'Модель читает только два последних сообщения: так дешевле, но начало она забудет.'
        }
        checked={threadHistory}
        onChange={(checked) => onChange({ threadHistory: checked })}
      />
      {threadHistory && (
        <TextField
          label="Длина истории"
          inputMode="numeric"
          autoComplete="off"
          value={limit.typed}
          onChange={(event) => limit.type(event.target.value)}
          onBlur={limit.saveNow}
          hint={
            <>
              Сколько прошлых сообщений читает модель. Они считаются в символах: чем их больше, тем дороже ответ.{' '}
              <TextLink inText href={paths.help('money/save')}>
                Как тратить меньше
              </TextLink>
            </>
          }
          error={readLimit(limit.typed) === null ? `Нужно целое число от 1 до ${MAX_HISTORY}.` : null}
          className="max-w-40"
        />
      )}
      {threadHistory && (
        <SelectField
          label="Сжимать длинные чаты"
          hint={summaryHints[settings.threadSummaries ?? 'offer']}
          options={summaryChoices}
          value={settings.threadSummaries ?? 'offer'}
          onChange={({ target }) => onChange({ threadSummaries: target.value as Settings['threadSummaries'] })}
        />
      )}
    </div>
  )
}

const summaryChoices = [
  { value: 'offer', label: 'Предлагать' },
  { value: 'auto', label: 'Само, после ответа' },
  { value: 'never', label: 'Никогда' },
]
const summaryHints: Record<Settings['threadSummaries'], string> = {
  offer: 'Когда история станет длинной, чат предложит сжать начало и назовёт цену.',
  auto: 'Когда история станет длинной, начало сожмётся само. Это стоит символов и видно в чате и в операциях.',
  never: 'История отправляется целиком. То, что не поместится в модель, отправлено не будет.',
}

function readLimit(text: string): number | null {
  const read = Number(text.trim() || 'x')
  return Number.isInteger(read) && read >= 1 && read <= MAX_HISTORY ? read : null
}

const MAX_PROMPT = 2000

interface ChatSettingsTitlesProps {
  settings: Settings
  onChange: (part: Partial<Settings>) => void
}

function ChatSettingsTitles({ settings, onChange }: ChatSettingsTitlesProps) {
  const { threadGptNameEnabled, threadGptNamePrompt } = settings
  const prompt = useSavedText(threadGptNamePrompt, (text) => onChange({ threadGptNamePrompt: text }))
  return (
    <div className="flex flex-col gap-3">
      <Switch
        label="Придумывать названия чатов"
        hint="После первого ответа, бесплатно. Название, которое вы написали сами, не изменится."
        checked={threadGptNameEnabled}
        onChange={(checked) => onChange({ threadGptNameEnabled: checked })}
      />
      {threadGptNameEnabled && (
        <details className="group">
          <summary className="inline-flex min-h-11 w-fit cursor-pointer list-none items-center gap-1 rounded-xs text-accent-ink text-sm [&::-webkit-details-marker]:hidden">
            <ChevronDown size={16} className="transition-transform group-open:rotate-180" />
            Дополнительно
          </summary>
          <div className="flex flex-col gap-3 pt-2">
            <TextArea
              label="Промпт для названий"
              maxLength={MAX_PROMPT}
              value={prompt.typed}
              onChange={(event) => prompt.type(event.target.value)}
              onBlur={prompt.saveNow}
              hint={
                prompt.typed.trim() === ''
                  ? 'Пока здесь пусто, чаты останутся «Новый чат».'
                  : 'Это указание модели. Обычно менять его незачем.'
              }
            />
            {prompt.typed !== DEFAULT_NAME_PROMPT && (
              <Button variant="ghost" className="self-start" onClick={() => prompt.type(DEFAULT_NAME_PROMPT)}>
                Вернуть обычный текст
              </Button>
            )}
          </div>
        </details>
      )}
    </div>
  )
}
