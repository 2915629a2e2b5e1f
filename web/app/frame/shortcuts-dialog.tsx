import { useEnterSends } from '#web/lib/enter-setting.ts'
import { isApple, shortcutKeys } from '#web/lib/shortcuts.ts'
import { Dialog } from '#web/ui/dialog.tsx'

type Key = [keys: string, action: string]

interface Group {
  title: string
  keys: Key[]
}

export function ShortcutsDialog({ onClose }: { onClose: () => void }) {
  const groups = shortcutGroups(useEnterSends())
  return (
    <Dialog open title="Горячие клавиши" onClose={onClose}>
      <div className="flex flex-col gap-4">
        {groups.map(({ title, keys }) => (
          <section key={title} aria-label={title}>
            <h3 className="text-sm text-muted">{title}</h3>
            <dl className="divide-y">
              {keys.map(([pressed, action]) => (
                <div key={pressed} className="flex items-center justify-between gap-4 py-1 text-[15px]">
                  <dt className="order-2 shrink-0">
                    <kbd className="rounded-sm border bg-hover px-1.5 py-0.5 font-sans text-sm whitespace-nowrap">
                      {pressed}
                    </kbd>
                  </dt>
                  <dd className="text-pretty">{action}</dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
      </div>
    </Dialog>
  )
}

export function shortcutGroups(enterSends: boolean): Group[] {
  const [send, newLine] = enterSends ? ['Enter', 'Shift + Enter'] : ['Shift + Enter', 'Enter']
  return [
    {
      title: 'Везде',
      keys: [
        [shortcutKeys('newChat'), 'Новый чат'],
        [shortcutKeys('search'), 'Поиск по чатам, страницам и действиям'],
        [shortcutKeys('keys'), 'Горячие клавиши'],
        ['Esc', 'Закрыть окно или меню'],
      ],
    },
    {
      title: 'В поле сообщения',
      keys: [
        [send, 'Отправить'],
        [newLine, 'Новая строка'],
        [isApple ? '⌘ + Enter' : 'Ctrl + Enter', 'Отправить при любых настройках'],
        ['/', 'Вставить промпт'],
        ['@', 'Выбрать ассистента'],
        ['Esc', 'Остановить ответ'],
      ],
    },
    {
      title: 'В чате',
      keys: [[shortcutKeys('find'), 'Найти в чате']],
    },
    {
      title: 'В списке чатов',
      keys: [
        ['↑ ↓', 'Предыдущий и следующий чат'],
        ['F2', 'Переименовать'],
      ],
    },
    {
      title: 'На других страницах',
      keys: [
        [shortcutKeys('save'), 'Сохранить форму'],
        ['← →', 'Предыдущее и следующее изображение'],
      ],
    },
  ]
}
