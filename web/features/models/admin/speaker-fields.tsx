import { useQuery } from '@tanstack/react-query'
import { FieldRow, FoldedSection } from '#web/ui/form/form-section.tsx'
import { SelectField } from '#web/ui/form/select-field.tsx'
import { UnitField } from '#web/ui/form/unit-field.tsx'
import { speakerModes, speakersHint, speakersLabel } from './model-labels.ts'
import { providersQuery } from './queries.ts'
import type { ModelFormState } from './use-model-form.ts'

/** Whether a transcription model tells who spoke, how, and how many people. */
export function SpeakerFields({ form, hasError }: { form: ModelFormState; hasError: boolean }) {
  const { data: providers = [] } = useQuery(providersQuery)
  const kind = providers.find(({ name }) => name === form.draft.provider)?.kind
  const { speakers } = form.draft
  const known = speakerModes(kind)
  // A mode of another provider stays visible until another is chosen.
  const isKnown = known.some(({ value }) => value === speakers)
  return (
    <FoldedSection
      title="Кто говорит"
      summary={speakersLabel(form.draft)}
      hasError={hasError}
      description="Если модель различает голоса, у реплик будут участники, которых можно назвать по именам."
    >
      <FieldRow>
        <SelectField
          label="Как различает голоса"
          options={isKnown ? known : [...known, { value: speakers, label: `${speakers}, не для этого провайдера` }]}
          {...form.text('speakers')}
        />
        {speakers !== '' && (
          <UnitField
            label="Сколько голосов, не больше"
            unit="человек"
            hint={speakersHint(kind)}
            {...form.text('maxSpeakers')}
          />
        )}
      </FieldRow>
    </FoldedSection>
  )
}
