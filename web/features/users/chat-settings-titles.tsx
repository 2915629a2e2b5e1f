import { DEFAULT_NAME_PROMPT, type Settings } from '#contract/users.ts'
import { Button } from '#web/ui/button.tsx'
import { Switch } from '#web/ui/switch.tsx'
import { TextArea } from '#web/ui/text-area.tsx'
import { useDraft } from './chat-settings-draft.ts'

const MAX_PROMPT = 2000

interface ChatSettingsTitlesProps {
  settings: Settings
  onChange: (part: Partial<Settings>) => void
}

export function ChatSettingsTitles({ settings, onChange }: ChatSettingsTitlesProps) {
  const { threadGptNameEnabled, threadGptNamePrompt } = settings
  const prompt = useDraft(threadGptNamePrompt, (text) => onChange({ threadGptNamePrompt: text }))
  return (
    <div className="flex flex-col gap-3">
      <Switch
        label="Придумывать названия чатов"
        hint="После первого ответа, бесплатно. Название, которое вы написали сами, не изменится."
        checked={threadGptNameEnabled}
        onChange={(checked) => onChange({ threadGptNameEnabled: checked })}
      />
      {threadGptNameEnabled && (
        <TextArea
          label="Как придумывать"
          maxLength={MAX_PROMPT}
          value={prompt.typed}
          onChange={(event) => prompt.type(event.target.value)}
          onBlur={prompt.leave}
          hint={prompt.typed.trim() === '' ? 'Пока здесь пусто, чаты останутся «Новый чат».' : null}
        />
      )}
      {threadGptNameEnabled && prompt.typed !== DEFAULT_NAME_PROMPT && (
        <Button variant="ghost" className="self-start" onClick={() => prompt.type(DEFAULT_NAME_PROMPT)}>
          Вернуть обычный текст
        </Button>
      )}
    </div>
  )
}
