import type { Settings } from '#contract/users.ts'
import { setEnterSends, useEnterSends } from '#web/lib/enter-setting.ts'
import { Switch } from '#web/ui/switch.tsx'
import { ChatSettingsMemory } from './chat-settings-memory.tsx'
import { ChatSettingsModel } from './chat-settings-model.tsx'
import { ChatSettingsTitles } from './chat-settings-titles.tsx'
import { useUpdateProfile } from './queries.ts'

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
