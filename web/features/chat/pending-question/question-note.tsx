import type { PendingQuestion } from '#contract/pending-question.ts'
import { draftKey, useDraft } from '../state/drafts.ts'

interface QuestionNoteProps {
  userId: string
  question: Partial<PendingQuestion>
}

/** Says where the text in the field comes from: another user may have requested the link. */
export function QuestionNote({ userId, question }: QuestionNoteProps) {
  const { text } = useDraft(draftKey(userId, null))
  if (!question.text || !text.includes(question.text)) return null
  return (
    <p role="status" className="px-2 pb-2 text-sm text-pretty text-muted">
      Вы спросили это при входе. Нажмите «Отправить», а если вопрос не ваш, сотрите его.
    </p>
  )
}
