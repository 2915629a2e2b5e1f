import type { AskedQuestion } from '#contract/asked-question.ts'
import { draftKey, useDraft } from '../state/drafts.ts'

interface AskedNoteProps {
  userId: string
  asked: Partial<AskedQuestion>
}

/** Says where the text in the field comes from: another user may have requested the link. */
export function AskedNote({ userId, asked }: AskedNoteProps) {
  const { text } = useDraft(draftKey(userId, null))
  if (!asked.text || !text.includes(asked.text)) return null
  return (
    <p role="status" className="px-2 pb-2 text-sm text-pretty text-muted">
      Вы спросили это при входе. Нажмите «Отправить», а если вопрос не ваш, сотрите его.
    </p>
  )
}
