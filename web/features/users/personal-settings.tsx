import { useQuery } from '@tanstack/react-query'
import { countSymbols, price } from '#contract/billing.ts'
import type { Model } from '#contract/models.ts'
import { MAX_PERSONAL_TEXT, personalInstructions, type Settings } from '#contract/users.ts'
import { modelsQuery } from '#web/features/models/queries.ts'
import { formatNumber, formatSymbols } from '#web/lib/format.ts'
import { Switch } from '#web/ui/switch.tsx'
import { TextArea } from '#web/ui/text-area.tsx'
import { useUpdateProfile } from './queries.ts'
import { useSavedText } from './use-saved-text.ts'

/** The person's own instructions for models, saved as they are typed, with what they add to every question. */
export function PersonalSettings({ settings }: { settings: Settings }) {
  const { mutate } = useUpdateProfile()
  const { data: models } = useQuery(modelsQuery)
  const change = (part: Partial<Settings>) => mutate({ Settings: part })
  const about = useSavedText(settings.personalAbout ?? '', (personalAbout) => change({ personalAbout }))
  const style = useSavedText(settings.personalStyle ?? '', (personalStyle) => change({ personalStyle }))
  const typed = { ...settings, personalAbout: about.typed, personalStyle: style.typed }
  return (
    <div className="flex flex-col gap-6">
      <PersonalText
        label="Что обо мне знать"
        placeholder="Например: преподаю химию в школе, живу в Гродно, английский знаю слабо."
        text={about}
      />
      <PersonalText
        label="Как мне отвечать"
        placeholder="Например: коротко и по делу, с примерами из жизни, без вступлений."
        text={style}
      />
      <Switch
        label="Учитывать в чатах"
        hint="В чате с ассистентом ваши инструкции идут после его собственных. Моделям, которые рисуют, они не передаются."
        checked={settings.personalEnabled}
        onChange={(personalEnabled) => change({ personalEnabled })}
      />
      <p aria-live="polite" className="figures text-sm text-muted">
        {costText(
          countSymbols(personalInstructions(typed)),
          settings.personalEnabled,
          models?.find(({ id }) => id === settings.threadModel),
        )}
      </p>
    </div>
  )
}

interface PersonalTextProps {
  label: string
  placeholder: string
  text: ReturnType<typeof useSavedText>
}

function PersonalText({ label, placeholder, text: { typed, type, saveNow } }: PersonalTextProps) {
  return (
    <TextArea
      label={label}
      placeholder={placeholder}
      maxLength={MAX_PERSONAL_TEXT}
      value={typed}
      onChange={(event) => type(event.target.value)}
      onBlur={saveNow}
      hint={
        <span className="figures">
          {formatNumber(countSymbols(typed))} из {formatNumber(MAX_PERSONAL_TEXT)}
        </span>
      }
    />
  )
}

/** «Каждый вопрос дороже на 140 символов × коэффициент модели: с моделью «Умная» это 280.» */
export function costText(
  symbols: number,
  isOn: boolean,
  model: Pick<Model, 'name' | 'inputRate' | 'outputRate'> | undefined,
) {
  if (!isOn) return 'Сейчас выключено: модели этого не видят, вопросы не дороже.'
  if (symbols === 0) return 'Пока пусто. Этот текст будет отправляться с каждым вопросом, и его длина войдёт в цену.'
  const text = `Каждый вопрос дороже на ${formatSymbols(symbols)} × коэффициент модели`
  if (!model || model.inputRate === 1) return `${text}.`
  return `${text}: с моделью «${model.name}» (×${formatNumber(model.inputRate)}) это ${formatNumber(price(symbols, 0, model))}.`
}
