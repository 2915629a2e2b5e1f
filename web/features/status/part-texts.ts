import type { Status, StatusPart, StatusPartName } from '#contract/status.ts'
import { formatDateTime, formatNumber, plural } from '#web/lib/format.ts'

interface PartTexts {
  title: string
  /** What is known of it now. */
  fact: (part: StatusPart) => string
  /** What people notice while it does not work. */
  symptom: string
  action: string
  /** The same when nothing has failed, but something was never set up or done. */
  lack?: Partial<Record<NonNullable<StatusPart['lack']>, { fact: string; symptom: string; action: string }>>
}

/** What is known of the part now, in one sentence. */
export function factOf(part: StatusPart): string {
  const texts = partTexts[part.name]
  return (part.lack && texts.lack?.[part.lack]?.fact) ?? texts.fact(part)
}

const counted = (n: number | null, one: string, few: string, many: string) =>
  `${formatNumber(n ?? 0)} ${plural(n ?? 0, one, few, many)}`
const works = ({ state }: StatusPart, bad: string, isOff = 'Не настроено') =>
  state === 'ok' ? 'Работает' : state === 'off' ? isOff : bad
const listed = ({ names }: StatusPart) => names.join(', ')

export const partTexts: Record<StatusPartName, PartTexts> = {
  servers: {
    title: 'Серверы',
    fact: (part) =>
      part.state === 'ok'
        ? `${counted(part.count, 'сервер', 'сервера', 'серверов')}, сборка ${listed(part)}`
        : `Работают разные сборки: ${listed(part)}`,
    symptom: 'Часть людей видит прежнюю сборку.',
    action: 'При обновлении это нормально. Если прошло больше 15 минут, обновите остальные серверы.',
  },
  database: {
    title: 'База данных',
    fact: ({ count }) => `Отвечает за ${formatNumber(count ?? 0)} мс`,
    symptom: 'Страницы и ответы открываются медленно.',
    action: 'Посмотрите нагрузку и долгие запросы Postgres, место на диске и число соединений.',
  },
  redis: {
    title: 'Redis',
    fact: (part) => works(part, `Не отвечает, это видят: ${listed(part)}`),
    symptom:
      'Ответ, который пишет другой сервер, приходит с задержкой до двух секунд. Ограничения каждый сервер считает сам.',
    action: 'Проверьте, запущен ли Redis и верен ли REDIS_URL. Серверы подключатся сами.',
  },
  storage: {
    title: 'Хранилище файлов',
    fact: (part) =>
      part.state === 'degraded' ? 'Работает с замечаниями' : works(part, `Не работает, это видят: ${listed(part)}`),
    symptom: 'Файлы, картинки и записи не загружаются и не открываются. Чаты без файлов работают.',
    action:
      'Папка: проверьте место на диске и права на DATA_DIR. S3: доступность корзины и ключи. Сервер проверяет хранилище каждые полминуты.',
  },
  mail: {
    title: 'Почта',
    fact: (part) =>
      part.count
        ? `Ждут отправки: ${counted(part.count, 'письмо', 'письма', 'писем')}`
        : works(part, 'Почтовый сервер не принимает письма'),
    symptom: 'Письма для входа и чеки не приходят или приходят позже.',
    action: 'Проверьте SMTP_URL и почтовый сервер. Чеки уйдут сами, письма для входа люди запросят снова.',
    lack: {
      mailbox: {
        fact: 'Письма складываются в ящик для разработки',
        symptom: 'До людей письма не доходят: войти по почте можно только с этой машины.',
        action: 'Задайте SMTP_URL и MAIL_FROM и перезапустите сервер.',
      },
    },
  },
  payments: {
    title: 'Оплата',
    fact: (part) =>
      part.state === 'down'
        ? `Платёжная система не отвечает о ${counted(part.count, 'заказе или подписке', 'заказах и подписках', 'заказах и подписках')}`
        : works(part, `Ждут решения: ${counted(part.count, 'событие', 'события', 'событий')} оплаты`),
    symptom: 'Оплата может не пройти, а символы — прийти позже.',
    action:
      'События: откройте «Транзакции», вкладку «События оплаты». Платёжная система не отвечает: проверьте ключи и выход сервера в интернет, сервер спросит снова сам.',
    lack: {
      'test-payments': {
        fact: 'Оплата тестовая',
        symptom: 'Символы начисляются, а настоящие деньги не приходят.',
        action: 'Перед продажами задайте ключи настоящего магазина: раздел «Оплата» скажет, какие.',
      },
    },
  },
  models: {
    title: 'Модели',
    fact: (part) =>
      works(part, `${part.since ? 'Отдыхают после ошибок' : 'Скоро отключат, а замены нет'}: ${listed(part)}`),
    symptom: 'Эти модели не отвечают или скоро перестанут; где задана запасная, отвечает она.',
    action:
      'Ошибки: проверьте состояние провайдера и счёт у него, через полминуты сервер пробует снова. Отключение: выберите замену в разделе «Модели».',
    lack: {
      'only-demo': {
        fact: 'Отвечает только «Демо»',
        symptom: 'Люди получают заготовленные ответы вместо настоящих.',
        action: 'Задайте ключ провайдера, например OPENAI_API_KEY, перезапустите сервер и покажите модель людям.',
      },
    },
  },
  jobs: {
    title: 'Задания по расписанию',
    fact: (part) =>
      part.state === 'ok'
        ? 'Выполняются'
        : part.since
          ? 'Ждут дольше 5 минут'
          : `Не удались за сутки: ${formatNumber(part.count ?? 0)}`,
    symptom: 'Опаздывают продления, напоминания, сверка и уборка.',
    action: 'Найдите в журнале сервера строки «background: failed»: в них причина.',
  },
  work: {
    title: 'Начатая работа',
    fact: (part) => (part.state === 'ok' ? 'Брошенной нет' : `Брошено: ${counted(part.count, 'дело', 'дела', 'дел')}`),
    symptom: 'Кто-то видит ответ, который не заканчивается, и символы, которые не вернулись.',
    action: 'Работу погибшего сервера другие заканчивают за минуту. Если этого не случилось, перезапустите серверы.',
  },
  ledger: {
    title: 'Учёт символов',
    fact: ({ state, count, at }) => {
      if (!at) return 'Сверки ещё не было'
      if (count) return `Не сходится: ${counted(count, 'нарушение', 'нарушения', 'нарушений')}`
      return state === 'ok' ? `Сходится, сверен ${formatDateTime(at)}` : `Сверки не было с ${formatDateTime(at)}`
    },
    symptom: 'Чей-то баланс может быть неверным.',
    action: 'Выполните npm run reconcile: команда назовёт каждое нарушение.',
    lack: {
      'never-done': {
        fact: 'Сверки ещё не было',
        symptom: 'Пока ничего. Ошибку в балансах заметит только сверка.',
        action: 'Сервер сверяет учёт каждую ночь. Сверить можно и сейчас.',
      },
    },
  },
  backups: {
    title: 'Резервные копии',
    fact: ({ at }) => (at ? `Последняя — ${formatDateTime(at)}` : 'Копий ещё не было'),
    symptom: 'Пока ничего. При потере базы пропадёт всё, что было после последней копии.',
    action: 'Проверьте расписание npm run backup, место BACKUP_TO и вывод последнего запуска.',
    lack: {
      'never-done': {
        fact: 'Копий ещё не было',
        symptom: 'Пока ничего. При потере базы пропадёт всё.',
        action: 'Задайте BACKUP_TO и запускайте npm run backup каждую ночь.',
      },
    },
  },
  clock: {
    title: 'Часы',
    fact: (part) => works(part, `Расходятся с базой: ${listed(part)}`),
    symptom: 'Сроки ссылок, ограничений и подписок считаются неверно.',
    action: 'Включите на сервере синхронизацию времени: chrony или systemd-timesyncd.',
  },
}

/** What needs the owner's attention, the worst first. */
export function problemsIn({ parts }: Status): StatusPart[] {
  const weight = { down: 0, degraded: 1, ok: 2, off: 2 }
  return parts
    .filter(({ state }) => state === 'down' || state === 'degraded')
    .toSorted((a, b) => weight[a.state] - weight[b.state])
}
