import { useQuery } from '@tanstack/react-query'
import { keysQuery } from '#web/features/api-keys/queries.ts'
import { Switch } from '#web/ui/switch.tsx'

/** Whether the person has API keys that programs may still use. */
export const useHasKeys = (): boolean => useQuery(keysQuery).data?.keys.some(({ endedAt }) => endedAt === null) ?? false

interface EndKeysSwitchProps {
  checked: boolean
  onChange: (checked: boolean) => void
}

export function EndKeysSwitch(props: EndKeysSwitchProps) {
  return (
    <Switch
      label="Отключить ключи API"
      hint="Чужой человек мог создать или увидеть ключ. Ваши программы остановятся, пока вы не дадите им новые ключи."
      {...props}
    />
  )
}
