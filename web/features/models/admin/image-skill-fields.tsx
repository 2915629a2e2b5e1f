import { MAX_EXAMPLES } from '#contract/image-skills.ts'
import { FieldRow, FoldedSection } from '#web/ui/form/form-section.tsx'
import { SelectField } from '#web/ui/form/select-field.tsx'
import { SymbolsField } from '#web/ui/form/unit-field.tsx'
import { Switch } from '#web/ui/switch.tsx'
import { imageSkillsLabel } from './model-labels.ts'
import type { ModelFormState } from './use-model-form.ts'

const counts = Array.from({ length: MAX_EXAMPLES + 1 }, (_, n) => ({
  value: String(n),
  label: n === 0 ? 'Ни на один' : `До ${n}`,
}))

/** What people may ask an image model for; they see it before they try. */
export function ImageSkillFields({ form }: { form: ModelFormState }) {
  const { draft } = form
  return (
    <FoldedSection title="Что умеет" summary={imageSkillsLabel(draft)} hasError={Boolean(form.fieldErrors.imageSkills)}>
      <Switch
        label="Задать самому"
        hint="Без этого умения определяются по провайдеру и имени модели."
        {...form.flag('hasSkills')}
      />
      {draft.hasSkills && (
        <>
          <Switch label="Меняет картинки" {...form.flag('changes')} />
          {draft.changes && (
            <>
              <Switch
                label="Понимает выделение"
                hint="Модели отправится, где менять. Нетронутая часть возвращается в любом случае."
                {...form.flag('takesArea')}
              />
              <FieldRow>
                <SelectField label="На сколько примеров смотрит" options={counts} {...form.text('examples')} />
                <SymbolsField
                  label="Цена изменения"
                  hint="Пустое поле: как у новой картинки."
                  {...form.text('changePrice')}
                />
              </FieldRow>
            </>
          )}
          <Switch label="Квадратные картинки" {...form.flag('square')} />
          <Switch label="Широкие картинки" {...form.flag('wide')} />
          <Switch label="Высокие картинки" {...form.flag('tall')} />
          <Switch label="Другие пропорции" hint="4:3, 3:4, 16:9 и 9:16." {...form.flag('otherShapes')} />
          <Switch label="Прозрачный фон" {...form.flag('transparent')} />
          <Switch label="Показывает картинку по ходу" {...form.flag('partial')} />
          <Switch
            label="Отвечает картинкой в чате"
            hint="Для моделей вроде Gemini через OpenRouter: запрос идёт в чат, а не в рисование."
            {...form.flag('answersInChat')}
          />
          {form.fieldErrors.imageSkills && <p className="text-sm text-danger">{form.fieldErrors.imageSkills}</p>}
        </>
      )}
    </FoldedSection>
  )
}
