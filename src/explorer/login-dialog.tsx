import { useSignal } from '@preact/signals';
import { Dialog } from './controls/dialog.js';
import { errorSentence } from './controls/waiting.js';
import { endLogin, errorCode, host, loadClient, login, token } from './state/service.js';

/** Renders a login dialog if the service rejects the token. Rejected requests are sent again after the login. */
export function LoginDialog() {
  if (login.value === null) return null;
  return (
    <Dialog
      title="Log in"
      onClose={() => endLogin(new Error('The service requires an access token; log in to see its data.'))}
    >
      <LoginForm reason={login.value} />
    </Dialog>
  );
}

const FIELDS = {
  password: [
    ['Email', { name: 'email', type: 'email', autocomplete: 'username' }],
    ['Password', { name: 'password', type: 'password', autocomplete: 'current-password' }],
  ],
  token: [['Access token', { name: 'token', type: 'password', autocomplete: 'off' }]],
} as const;

function LoginForm({ reason }: { reason: string }) {
  const way = useSignal<'password' | 'token'>('password');
  const problem = useSignal<string | null>(null);
  const submit = async (event: SubmitEvent) => {
    event.preventDefault();
    const fields = new FormData(event.currentTarget as HTMLFormElement);
    const text = (name: string) => String(fields.get(name) ?? '');
    problem.value = null;
    try {
      const user = { email: text('email').trim(), password: text('password') };
      token.value =
        way.value === 'token' ? text('token').trim() : await (await loadClient()).tokenOf(host, user);
      endLogin();
    } catch (error) {
      problem.value =
        errorCode(error) === 'authentication' ? 'The email or password is wrong.' : errorSentence(error);
    }
  };
  return (
    <form class="login" onSubmit={submit}>
      <p>{reason}</p>
      <fieldset class="choice">
        <legend class="visually-hidden">How to log in</legend>
        {(['password', 'token'] as const).map((one) => (
          <label key={one}>
            <input type="radio" name="way" checked={way.value === one} onChange={() => (way.value = one)} />
            {one === 'password' ? 'Email and password' : 'Access token'}
          </label>
        ))}
      </fieldset>
      {FIELDS[way.value].map(([label, field]) => (
        <label key={label}>
          {label}
          <input {...field} required />
        </label>
      ))}
      {problem.value !== null && (
        <p class="notice failure" role="alert">
          {problem.value}
        </p>
      )}
      <button type="submit" class="primary">
        Log in
      </button>
    </form>
  );
}
