import { useMutation } from '@tanstack/react-query'
import { addressOf } from '#contract/endpoint.ts'
import type { Attachment } from '#contract/files.ts'
import { type TranscriptFormat, type Transcription, transcriptionsApi } from '#contract/transcriptions.ts'
import { copyAndReport } from '#web/lib/copy-text.ts'
import { saveFile } from '#web/lib/save-file.ts'
import { Button, IconButton } from '#web/ui/button.tsx'
import { Copy, Download, Ellipsis, History, MessageCircleQuestion, Trash2 } from '#web/ui/icons.ts'
import { Menu, MenuItem } from '#web/ui/menu.tsx'
import { useMakeAttachment } from '../queries.ts'

interface RecordingToolsProps {
  recording: Transcription
  /** Saves pending corrections: exports and chats use the server's text. */
  savePending: () => Promise<void>
  text: () => string
  onAsk: (file: Attachment) => void
  onRestore: () => void
  onDelete: () => void
}

const formats: Record<TranscriptFormat, string> = {
  txt: 'TXT, просто текст',
  docx: 'DOCX для Word',
  srt: 'SRT, субтитры',
  vtt: 'VTT, субтитры для сайта',
}

export function RecordingTools({ recording, savePending, text, onAsk, onRestore, onDelete }: RecordingToolsProps) {
  const { id, title, segments, edited } = recording
  const ask = useMakeAttachment(id)
  const save = useMutation({
    mutationFn: async (format: TranscriptFormat) => {
      await savePending()
      await saveFile(addressOf(transcriptionsApi.export, { params: { id }, query: { format } }), `${title}.${format}`)
    },
  })
  // On a phone the last menu stands beside the first button: it would be alone on a third line.
  return (
    <div className="flex flex-wrap items-center gap-2">
      <Button
        variant="primary"
        icon={<MessageCircleQuestion size={18} />}
        busy={ask.isPending}
        onClick={async () => {
          await savePending()
          ask.mutate(undefined, { onSuccess: onAsk })
        }}
      >
        Спросить по записи
      </Button>
      <Button className="max-frame:order-1" icon={<Copy size={18} />} onClick={() => void copyAndReport(text())}>
        Копировать
      </Button>
      <Menu
        trigger={
          <Button className="max-frame:order-1" icon={<Download size={18} />} busy={save.isPending}>
            Скачать
          </Button>
        }
      >
        {(Object.keys(formats) as TranscriptFormat[]).map((format) => (
          <MenuItem
            key={format}
            disabled={(format === 'srt' || format === 'vtt') && segments === null}
            onSelect={() => save.mutate(format)}
          >
            {formats[format]}
          </MenuItem>
        ))}
      </Menu>
      <Menu align="end" trigger={<IconButton label="Ещё" icon={<Ellipsis size={20} />} />}>
        <MenuItem icon={<History size={18} />} disabled={!edited} onSelect={onRestore}>
          Вернуть исходный текст
        </MenuItem>
        <MenuItem danger icon={<Trash2 size={18} />} onSelect={onDelete}>
          Удалить запись
        </MenuItem>
      </Menu>
    </div>
  )
}
