import { saveConsent, useConsent } from '#web/lib/analytics.ts'
import { Switch } from '#web/ui/switch.tsx'

export function ConsentSwitch() {
  const consent = useConsent()
  return (
    <Switch
      label="Учитывать мои посещения"
      hint="Считаем только, какими разделами пользуются. Тексты чатов и файлы в статистику не попадают."
      checked={consent === 'yes'}
      onChange={(isAllowed) => saveConsent(isAllowed ? 'yes' : 'no')}
    />
  )
}
