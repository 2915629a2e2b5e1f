const restart = 'Начните вход заново.'
const otherWay = 'Войдите по ссылке из письма или другим способом.'

/** A Map, because a plain object also has keys such as «toString». */
const texts = new Map(
  Object.entries({
    invalid_callback_request: `Сервис ответил непонятно. ${restart}`,
    state_not_found: `Вход занял больше десяти минут или начался в другом браузере. ${restart}`,
    state_mismatch: `Вход начался в другой вкладке или браузере. ${restart}`,
    no_code: `Сервис не подтвердил вход. ${restart}`,
    invalid_code: `Сервис не подтвердил вход. ${restart}`,
    oauth_provider_not_found: `Этот способ входа не подключён. ${otherWay}`,
    unable_to_get_user_info: `Сервис не сообщил, кто вы. ${restart}`,
    no_callback_url: `Непонятно, куда вернуться после входа. ${restart}`,
    unable_to_link_account: 'Не получилось привязать сервис. Попробуйте ещё раз.',
    "email_doesn't_match": 'Почта в сервисе не совпадает с вашей. Привязать можно только сервис с тем же адресом.',
    account_already_linked_to_different_user: 'Эта учётная запись сервиса уже привязана к другому аккаунту.',
    email_not_found: `Сервис не сообщил адрес почты. ${otherWay}`,
    email_not_verified: `Адрес почты в сервисе не подтверждён. ${otherWay}`,
    account_not_linked: 'Аккаунт с такой почтой уже есть. Войдите по ссылке из письма и привяжите сервис в профиле.',
    link_confirmation_sent:
      'Аккаунт с такой почтой уже есть. Мы отправили на неё письмо: откройте его в этом браузере, и сервис привяжется.',
    open_where_asked: 'Откройте эту ссылку в том браузере, где вы входили через сервис.',
    signup_disabled: 'Новые аккаунты сейчас не создаются.',
    access_denied: 'Вы отменили вход на стороне сервиса.',
  }),
)

/** Null for an unknown code, which is shown as it is. */
export const redirectText = (code: string): string | null => texts.get(code) ?? null
