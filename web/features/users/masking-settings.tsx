import { MAX_MASKED_NAME, MAX_MASKED_NAMES, type Settings } from '#contract/users.ts'
import { paths } from '#web/lib/paths.ts'
import { Switch } from '#web/ui/switch.tsx'
import { TextArea } from '#web/ui/text-area.tsx'
import { TextLink } from '#web/ui/text-link.tsx'
import { useUpdateProfile } from './queries.ts'
import { useSavedText } from './use-saved-text.ts'

/** What is hidden from models abroad: known patterns, and names from the person's own list. */
export function MaskingSettings({ settings }: { settings: Settings }) {
  const { mutate } = useUpdateProfile()
  const change = (part: Partial<Settings>) => mutate({ Settings: part })
  const names = useSavedText((settings.maskedNames ?? []).join('\n'), (text) => {
    const read = readNames(text)
    if (problemIn(read) === null) change({ maskedNames: read })
  })
  return (
    <div className="flex flex-col gap-6">
      <Switch
        label="Скрывать личное"
        hint={
          <>
            Телефоны, почта, номера карт, паспорта, СНИЛС, ИНН, ОГРН и счета уходят метками вроде [телефон 1], а в
            ответе вы снова видите сами данные. Находятся известные образцы, не всё подряд.{' '}
            <TextLink inText href={paths.help('account/where-data-goes')}>
              Куда уходят данные
            </TextLink>
          </>
        }
        checked={settings.maskPersonal}
        onChange={(maskPersonal) => change({ maskPersonal })}
      />
      {settings.maskPersonal && (
        <TextArea
          label="Имена, которые тоже скрывать"
          placeholder={'Анна Петрова\nПетрова\nООО «Ромашка»'}
          value={names.typed}
          onChange={(event) => names.type(event.target.value)}
          onBlur={names.saveNow}
          error={problemIn(readNames(names.typed))}
          hint="По одному на строке, в именительном падеже: склонения найдутся сами. «Анна Петрова» скроет и «Анне Петровой», но не просто «Петровой»: фамилию добавьте отдельной строкой. Список видите только вы."
        />
      )}
    </div>
  )
}

/** One name on each line; empty and repeated lines are dropped. */
export function readNames(text: string): string[] {
  const names = text
    .split('\n')
    .map((name) => name.trim())
    .filter(Boolean)
  return [...new Set(names)]
}

function problemIn(names: string[]): string | null {
  if (names.length > MAX_MASKED_NAMES) return `Не больше ${MAX_MASKED_NAMES} имён. Уберите лишние.`
  const short = names.find((name) => name.length < 2)
  if (short) return `«${short}» слишком короткое: нужно хотя бы две буквы.`
  const long = names.find((name) => name.length > MAX_MASKED_NAME)
  return long ? `«${long.slice(0, 20)}…» слишком длинное: не больше ${MAX_MASKED_NAME} знаков.` : null
}
