import { Settings } from '#contract/users.ts'
import { paths } from '#web/lib/paths.ts'
import { Switch } from '#web/ui/switch.tsx'
import { TextField } from '#web/ui/text-field.tsx'
import { TextLink } from '#web/ui/text-link.tsx'
import { useDraft } from './chat-settings-draft.ts'

interface ChatSettingsMemoryProps {
  settings: Settings
  onChange: (part: Partial<Settings>) => void
}

const Limit = Settings.shape.threadHistoryLimit

export function ChatSettingsMemory({ settings, onChange }: ChatSettingsMemoryProps) {
  const { threadHistory, threadHistoryLimit } = settings
  const limit = useDraft(String(threadHistoryLimit), (text) => {
    const read = readLimit(text)
    if (read !== null) onChange({ threadHistoryLimit: read })
  })
  return (
    <div className="flex flex-col gap-3">
      <Switch
        label="Помнить беседу"
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
          label="Сколько сообщений"
          inputMode="numeric"
          autoComplete="off"
          value={limit.typed}
          onChange={(event) => limit.type(event.target.value)}
          onBlur={limit.leave}
          hint={
            <>
              Они тоже считаются в символах: чем их больше, тем дороже каждый ответ.{' '}
              <TextLink inText href={paths.help('money/save')}>
                Как тратить меньше
              </TextLink>
            </>
          }
          error={readLimit(limit.typed) === null ? 'Нужно целое число от 1 до 200.' : null}
          className="max-w-40"
        />
      )}
    </div>
  )
}

function readLimit(text: string): number | null {
  const read = Limit.safeParse(Number(text.trim() || 'x'))
  return read.success ? read.data : null
}
