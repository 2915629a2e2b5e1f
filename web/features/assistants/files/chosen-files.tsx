import { MAX_ASSISTANT_FILES } from '#contract/assistants.ts'
import { FormSection } from '#web/ui/form/form-section.tsx'
import { chooseFiles } from '../file-choice.ts'
import { Allowance, toastRejections } from './assistant-files.tsx'
import { DropZone } from './drop-zone.tsx'
import { FileRow } from './file-row.tsx'

interface ChosenFilesProps {
  files: readonly File[]
  onChange: (files: File[]) => void
}

/** Files for an assistant that is not saved yet: they go on their way once it is. */
export function ChosenFiles({ files, onChange }: ChosenFilesProps) {
  function add(chosen: File[]) {
    const { taken, rejections } = chooseFiles(chosen, files.length)
    onChange([...files, ...taken])
    toastRejections(rejections)
  }
  return (
    <FormSection title="Файлы" about="Ассистент ищет в них ответ и показывает, откуда он.">
      {files.length > 0 && (
        <ul aria-label="Файлы ассистента" className="flex flex-col gap-2">
          {files.map((file, i) => (
            <FileRow
              // biome-ignore lint/suspicious/noArrayIndexKey: two files may be the same to the letter
              key={i}
              name={file.name}
              note="Загрузится после сохранения"
              isFailed={false}
              share={null}
              onRemove={() => onChange(files.filter((_, at) => at !== i))}
            />
          ))}
        </ul>
      )}
      {files.length < MAX_ASSISTANT_FILES && <DropZone onFiles={add} />}
      <Allowance />
    </FormSection>
  )
}
