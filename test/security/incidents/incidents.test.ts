import './commandApproval';
